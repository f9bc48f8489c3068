/**
 * Writes the files of `goldens/` anew; the change is read as YAML before it is committed:
 *
 *     node packages/cdk8s/src/testing/write-goldens.ts && git diff packages/cdk8s/goldens
 */
import { writeFileSync } from "node:fs";
import { renderGoldens } from "./goldens.ts";

for (const [name, text] of Object.entries(renderGoldens())) {
  writeFileSync(new URL(`../../goldens/${name}`, import.meta.url), text);
}
