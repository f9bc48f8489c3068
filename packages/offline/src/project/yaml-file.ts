import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Document } from "yaml";
import { isMap, LineCounter, parseDocument } from "yaml";
import { UserError } from "../errors.ts";
import { aliasProblem } from "./yaml-aliases.ts";

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
  const lines = new LineCounter();
  const document = parseDocument(text, { merge: true, lineCounter: lines });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 };
    const [what] = problem.message.split(" at line ");
    throw new UserError(`${file}:${line}:${col}: ${what}`, { cause: problem });
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new UserError(`${file}:1:1: the file must hold a mapping (key: value)`);
  }
  const alias = aliasProblem(document);
  if (alias !== undefined) {
    const { line, col } = lines.linePos(alias.offset);
    throw new UserError(`${file}:${line}:${col}: ${alias.message}`);
  }
  try {
    // What only shows when values are made of it: a merge (`<<`) of something that is no mapping.
    document.toJS(TO_JS);
  } catch (error) {
    throw new UserError(`${file}:1:1: ${(error as Error).message}`, { cause: error });
  }
  return document;
}

/** How values are made of a document that `readYaml` has read: it has counted the aliases, by what they stand for. */
export const TO_JS = { maxAliasCount: -1 } as const;
