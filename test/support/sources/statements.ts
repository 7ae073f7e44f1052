import ts from 'typescript';
import { callsIn, productSources, type Source } from './sources.js';

/** One SQL statement that the product declares; what is not constant in its text is `?`. */
export interface DeclaredStatement {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/** Every `sql(name, text)` of the product, with the constants in its text put in. */
export function declaredStatements(): DeclaredStatement[] {
  const sources = productSources();
  const constants = new Map(sources.map((source) => [source.path, constantsOf(source)]));
  const lookUp = (path: string, name: string): ts.Expression | undefined =>
    constants.get(path)?.get(name) ?? [...constants.values()].find((known) => known.has(name))?.get(name);
  const textOf = (node: ts.Expression, path: string): string => {
    if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      return (
        node.head.text +
        node.templateSpans.map((span) => textOf(span.expression, path) + span.literal.text).join('')
      );
    }
    if (ts.isBinaryExpression(node)) return textOf(node.left, path) + textOf(node.right, path);
    if (ts.isIdentifier(node)) {
      const constant = lookUp(path, node.text);
      return constant === undefined ? '?' : textOf(constant, path);
    }
    return '?';
  };
  return sources.flatMap((source) =>
    callsIn(source)
      .filter(({ name, isMethod, call }) => name === 'sql' && !isMethod && call.arguments?.length === 2)
      .map(({ call }) => {
        const [name, text] = call.arguments as unknown as [ts.Expression, ts.Expression];
        return {
          path: source.path,
          name: textOf(name, source.path),
          text: textOf(text, source.path).replaceAll(/\s+/g, ' '),
        };
      }),
  );
}

function isText(node: ts.Expression): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isNumericLiteral(node);
}

function constantsOf({ file }: Source): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const { initializer } = node;
      if (isText(initializer)) constants.set(node.name.text, initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return constants;
}
