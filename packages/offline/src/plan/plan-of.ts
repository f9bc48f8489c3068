import { type RecordInProcessOptions, recordInProcess } from "../record-in-process.ts";
import { type PlanDocument, planDocument } from "./document.ts";

/**
 * The plan of a program, without engine, cloud or cluster: what `capstan plan` prints, as an object to assert on.
 *
 * @example const { cost, findings } = await planOf({ project: "platform", stack: "prod", config }, program)
 */
export async function planOf(options: RecordInProcessOptions, program: () => unknown): Promise<PlanDocument> {
  return planDocument(await recordInProcess(options, program));
}
