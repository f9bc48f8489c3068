#!/usr/bin/env node
import { main } from "./main.ts";

// exitCode rather than exit(): a pipe must get the whole of a large document.
process.exitCode = await main(process.argv.slice(2));
