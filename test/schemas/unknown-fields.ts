import { join } from "node:path";
import ts from "typescript";
import type { RenderedObject } from "../programs/rendered.ts";
import { modelOf } from "./models.ts";

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  strict: true,
  noEmit: true,
  types: [],
};

/** Declarations of the schemas, which are the same in every program. */
const schemaFiles = new Map<string, ts.SourceFile | undefined>();

/**
 * Fields that no schema knows: an API server drops them and says nothing, and so does a schema's validator. The
 * compiler does not: an object literal may have no property that its type lacks, at any depth. So each object becomes a
 * literal of the type of its kind. Gives what the compiler says, with the object's path.
 */
export function typeProblems(objects: readonly RenderedObject[]): string[] {
  const file = join(import.meta.dirname, "objects-in-memory.ts");
  const statements = objects.flatMap(({ object }, i) => [
    `import type { I${object.kind} as Kind${i} } from ${JSON.stringify(modelOf(object))};`,
    `export const object${i}: Kind${i} = ${JSON.stringify(object)};`,
  ]);
  const source = ts.createSourceFile(file, statements.join("\n"), ts.ScriptTarget.Latest, true);
  const host = ts.createCompilerHost(OPTIONS);
  const fromDisk = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return source;
    const parsed = schemaFiles.get(name) ?? fromDisk(name, ...rest);
    schemaFiles.set(name, parsed);
    return parsed;
  };
  const program = ts.createProgram([file], OPTIONS, host);
  return program.getSemanticDiagnostics(source).map(({ start, messageText }) => {
    // Two lines an object: its type, then itself.
    const { line } = source.getLineAndCharacterOfPosition(start ?? 0);
    return `${objects[Math.floor(line / 2)]?.path}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}
