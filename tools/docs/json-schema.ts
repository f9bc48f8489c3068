import { join } from "node:path";
import { createGenerator } from "ts-json-schema-generator";

/** The JSON Schema of one exported type of the plan document, from its TypeScript declaration and comments. */
export function jsonSchema(root: string, type: "PlanDocument" | "PlanFile"): string {
  const generator = createGenerator({
    path: join(root, "packages/offline/src/plan/document.ts"),
    tsconfig: join(root, "tsconfig.json"),
    type,
    skipTypeCheck: true,
    sortProps: true,
  });
  return `${JSON.stringify(generator.createSchema(type), null, 2)}\n`;
}
