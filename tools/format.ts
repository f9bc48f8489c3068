// npm run format: formats every file and applies the linter's safe fixes.
import { runTool } from "./lib/run.ts";

const { code } = await runTool("@biomejs/biome/bin/biome", ["check", "--write", "."], { show: true });
process.exitCode = code;
