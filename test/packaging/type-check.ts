import ts from "typescript";

export interface ProgramOptions {
  readonly files: readonly string[];
  readonly options: Record<string, unknown>;
  readonly directory: string;
}

/** A program as a user's `tsconfig.json` describes it. */
export function createProgram({ files, options, directory }: ProgramOptions): ts.Program {
  const { options: converted, errors } = ts.convertCompilerOptionsFromJson(options, directory);
  if (errors.length > 0) throw new Error(text(errors));
  return ts.createProgram({ rootNames: [...files], options: { ...converted, noEmit: true } });
}

/**
 * What the compiler says of the user's files and of the declarations of our packages. Those of other packages are left
 * out, as `skipLibCheck` would do, which leaves out ours as well.
 */
export function problems(program: ts.Program, isOurs: (file: string) => boolean): string {
  const files = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  const of = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return text([...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...of]);
}

function text(diagnostics: readonly ts.Diagnostic[]): string {
  return ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => "/",
    getNewLine: () => "\n",
  });
}
