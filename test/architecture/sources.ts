import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { root } from "../../tools/lib/workspace.ts";

export interface Import {
  /** As it is written: `@capstan/core`, `./pool.ts`, `node:fs`. */
  readonly specifier: string;
  readonly line: number;
}

export interface SourceFile {
  /** From the workspace, with forward slashes. */
  readonly path: string;
  /** Test, or helper of tests: not published. */
  readonly isTest: boolean;
  /** Runs as an ES module; a user's program in `examples/` may be CommonJS. */
  readonly isModule: boolean;
  readonly imports: readonly Import[];
  readonly tree: ts.SourceFile;
}

const parsed = new Map<string, readonly SourceFile[]>();

/** The TypeScript sources below a folder of the workspace, each with all that it imports, by whatever syntax. */
export function sourcesBelow(folder: string): readonly SourceFile[] {
  const known = parsed.get(folder);
  if (known) return known;
  const found = existsSync(join(root, folder)) ? files(join(root, folder)).map(read) : [];
  parsed.set(folder, found);
  return found;
}

function files(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return /^(node_modules|dist)$/.test(entry.name) ? [] : files(join(folder, entry.name));
    return /\.ts$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [join(folder, entry.name)] : [];
  });
}

function read(file: string): SourceFile {
  const tree = parse(file, readFileSync(file, "utf8"));
  const path = relative(root, file).replaceAll("\\", "/");
  const isTest = /\.test(-d)?\.ts$|\/(testing|fixtures)\//.test(path);
  return { path, isTest, isModule: isModule(dirname(file)), imports: importsOf(tree), tree };
}

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function isModule(folder: string): boolean {
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) return isModule(dirname(folder));
  return (JSON.parse(readFileSync(manifest, "utf8")) as { type?: string }).type === "module";
}

/** Static and dynamic imports, re-exports and types: whatever names a module by a literal. */
export function importsOf(tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (literal: ts.Node | undefined) => {
    if (literal === undefined || !ts.isStringLiteralLike(literal)) return;
    const { line } = tree.getLineAndCharacterOfPosition(literal.getStart(tree));
    found.push({ specifier: literal.text, line: line + 1 });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node)) add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined);
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isCallExpression(node) && loads(node.expression)) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function loads(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

/** `@scope/name` or `name` of a specifier; null for relative paths and for Node's own modules. */
export function packageOf(specifier: string): string | null {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return null;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

/** `packages/core/src/x.ts:3 imports node:fs`, for the message of a failing test. */
export function at({ path }: SourceFile, { specifier, line }: Import): string {
  return `${path}:${line} imports ${specifier}`;
}
