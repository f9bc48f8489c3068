// npm start: the plan of the reference platform, and where to go next.
import { join } from "node:path";
import { root } from "./lib/workspace.ts";
import { findBundle, writeBundle } from "./start/bundle.ts";

const NEXT = `
Where to go next
  npm run --silent capstan -- plan --stack prod             the same platform as production runs it
  npm run --silent capstan -- render --stack dev --out out  its Kubernetes objects as YAML
  npm run --silent capstan -- explain gpu.mig.unsupported   why a rule exists, and what it accepts
  stacks/inference-platform/platform.ts                     change a pool or a service, npm start again
  README.md, examples/                                      your own first program, deploying for real
`;

const bundle = findBundle();
const { showPlan } = (await import(
  bundle.isThere ? bundle.entry : "./start/show-plan.ts"
)) as typeof import("./start/show-plan.ts");
const plain = process.env.NO_COLOR !== undefined || process.env.CI !== undefined || !process.stdout.isTTY;
const code = await showPlan(join(root, "stacks/inference-platform"), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  colour: !plain,
  columns: Math.max(80, Math.min(process.stdout.columns ?? 100, 140)),
});
if (code === 0) process.stdout.write(NEXT);
process.exitCode = code;
// Without one the next start is slower and nothing else, a read-only checkout among other things.
if (!bundle.isThere) await writeBundle(bundle).catch(() => {});
