import { program } from "./program.ts";

export const outputs = program();
