import { nearest, regions } from "@capstan/catalog";
import type { Problems } from "./fit-error.ts";

export const homeRegion = "us-east-1";

/** Names of AWS regions are built from an area, a direction and a number. Ones without prices here are regions all the same. */
const form =
  /^(us|us-gov|eu|ap|af|ca|sa|me|il|mx|cn)-(north|south|east|west|central|northeast|southeast|northwest|southwest)-[1-9]$/;

export function fitRegion(given: string | null | undefined, problems: Problems): string {
  if (given === null || given === undefined) return homeRegion;
  if (!form.test(given)) {
    const near = nearest(given, regions);
    problems.add(
      "region",
      given,
      `not the name of an AWS region${near === undefined ? "" : `; did you mean "${near}"?`} Prices are known for ${regions.join(", ")}`,
    );
  }
  return given;
}
