import ts from "typescript";

/**
 * Where `any` stands in what a package exports: in the declarations of its entry's exports and, from there, of all that
 * they name in our own packages.
 */
export function anyInPublicTypes(program: ts.Program, entry: string, isOurs: (file: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${entry} is no module of the program`);
  const found: string[] = [];
  const seen = new Set<ts.Symbol>();
  const waiting = checker.getExportsOfModule(module).map((symbol) => ({ symbol, path: symbol.name }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path } = next;
    const symbol = resolved(checker, next.symbol);
    if (seen.has(symbol)) continue;
    seen.add(symbol);
    for (const declaration of symbol.declarations ?? []) {
      if (!isOurs(declaration.getSourceFile().fileName)) continue;
      visit(declaration, (node) => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${path} (${symbol.name}): ${around(node)}`);
        const named = nameIn(node);
        const other = named && checker.getSymbolAtLocation(named);
        if (other) waiting.push({ symbol: other, path: `${path} > ${other.name}` });
      });
    }
  }
  return found.sort();
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  if (!isPrivate(node)) ts.forEachChild(node, (child) => visit(child, look));
}

/** Private members have no types in declarations, and are nobody's to use. */
function isPrivate(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  );
}

/** The name by which a node refers to another type. */
function nameIn(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  return ts.isTypeQueryNode(node) ? node.exprName : undefined;
}

function around(node: ts.Node): string {
  const whole = node.parent.getText().replaceAll(/\s+/g, " ");
  return whole.length > 100 ? `${whole.slice(0, 100)} ...` : whole;
}
