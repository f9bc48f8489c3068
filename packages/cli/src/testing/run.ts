import { main } from "../main.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line as a person without a terminal would, in a directory. */
export async function run(args: readonly string[], cwd: string): Promise<Ran> {
  let out = "";
  let err = "";
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    cwd,
    colour: false,
    columns: 100,
  });
  return { code, out, err };
}
