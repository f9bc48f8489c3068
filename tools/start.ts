// npm start: the plan of the reference platform, and where to go next.
import { main } from "@capstan/cli";
import { root } from "./lib/workspace.ts";

const NEXT = `
Where to go next
  npm run --silent capstan -- plan --stack prod             the same platform as production runs it
  npm run --silent capstan -- render --stack dev --out out  its Kubernetes objects as YAML
  npm run --silent capstan -- explain gpu.mig.unsupported   why a rule exists, and what it accepts
  stacks/inference-platform/platform.ts                     change a pool or a service, npm start again
  README.md, examples/                                      your own first program, deploying for real
`;

const code = await main(["plan", `${root}/stacks/inference-platform`, "--stack", "dev"]);
if (code === 0) process.stdout.write(NEXT);
process.exitCode = code;
