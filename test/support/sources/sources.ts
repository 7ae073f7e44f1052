import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** One source file of the product, parsed. */
export interface Source {
  readonly path: string;
  readonly file: ts.SourceFile;
}

/** The product's own sources: neither tests, nor what a program wrote, nor the client, which has no database. */
export function productSources(): Source[] {
  return ['apps', 'libs']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(ROOT, folder, file),
      ),
    )
    .filter(
      (path) =>
        /\/(apps\/(api|worker)|libs\/(?!sdk\/)\w+)\/src\/.*\.ts$/.test(path) && !path.endsWith('.spec.ts'),
    )
    .map((path) => ({
      path: relative(ROOT, path),
      file: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true),
    }));
}

/** A call as it is written: `name` is the function's or the method's. */
export interface CallSite {
  readonly source: Source;
  readonly name: string;
  readonly isMethod: boolean;
  readonly call: ts.CallExpression | ts.NewExpression;
}

export function callsIn(source: Source): CallSite[] {
  const found: CallSite[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const { expression } = node;
      const isMethod = ts.isPropertyAccessExpression(expression);
      const name = isMethod ? expression.name.text : expression.getText();
      found.push({ source, name, isMethod, call: node });
    }
    ts.forEachChild(node, visit);
  };
  visit(source.file);
  return found;
}

/** Where a call stands, for the message of a test that fails. */
export function placeOf({ source, call, name }: CallSite): string {
  const { line } = source.file.getLineAndCharacterOfPosition(call.getStart());
  return `${source.path}:${line + 1} ${name}`;
}

/** The whole chain of calls that a call stands in, as text on one line. */
export function chainOf(call: ts.Node): string {
  let node = call;
  while (
    ts.isPropertyAccessExpression(node.parent) ||
    (ts.isCallExpression(node.parent) && node.parent.expression === node)
  ) {
    node = node.parent;
  }
  return node.getText().replaceAll(/\s+/g, ' ');
}
