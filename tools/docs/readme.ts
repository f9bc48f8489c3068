import { readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "@capstan/cli";
import type { Page } from "./pages.ts";

const BEGIN = "<!-- plan:begin (written by npm run docs) -->";
const END = "<!-- plan:end -->";

/** The README with the plan as it prints now. */
export async function readme(root: string): Promise<Page> {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error("README.md has lost its plan markers");
  let plan = "";
  await main(["plan", "--stack", "staging"], {
    out: (part) => (plan += part),
    err: () => undefined,
    cwd: root,
    colour: false,
    columns: 100,
  });
  return {
    path: "README.md",
    content: `${text.slice(0, begin)}${BEGIN}\n\n\`\`\`text\n${plan.trimEnd()}\n\`\`\`\n\n${text.slice(end)}`,
  };
}
