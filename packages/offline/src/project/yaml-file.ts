import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "yaml";
import { isMap, parseDocument } from "yaml";
import { UserError } from "../errors.ts";

/** In the order in which Pulumi looks for them. */
export const EXTENSIONS = [".yaml", ".yml", ".json"] as const;

/** The file `<directory>/<stem>.yaml` or its like, undefined when there is none. */
export function findFile(directory: string, stem: string): string | undefined {
  return EXTENSIONS.map((extension) => join(directory, `${stem}${extension}`)).find((file) => existsSync(file));
}

/** Reads a file whose top level is a mapping (or empty). What is wrong with it is said with line and column. */
export function readYaml(file: string): Document {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  const document = parseDocument(text, { merge: true });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 };
    const [what] = problem.message.split(" at line ");
    throw new UserError(`${file}:${line}:${col}: ${what}`, { cause: problem });
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new UserError(`${file}:1:1: the file must hold a mapping (key: value)`);
  }
  return document;
}
