import { describe, expect, it } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import ts from 'typescript';
import { productSources } from '../support/sources/sources.js';

interface Expression {
  where: string;
  literal: string;
}

/** Every regular expression that the product has, by where it stands. */
function expressionsOf(): Expression[] {
  return productSources().flatMap(({ path, file }) => {
    const found: Expression[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push({ where: `${path}:${line + 1}`, literal: node.text });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

function compiled(literal: string): RegExp {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1).replace(/[gy]/g, ''));
}

/** Strings that make bad expressions go back again and again, so many characters long. */
const ATTACKS: ((length: number) => string)[] = [
  (n) => `${'a'.repeat(n)}!`,
  (n) => `${'A1'.repeat(n / 2)}!`,
  (n) => `${'0'.repeat(n)}x`,
  (n) => `${' '.repeat(n)}x`,
  (n) => `application/json${' '.repeat(n)}x`,
  (n) => `application/json;${'\t;'.repeat(n / 2)}`,
  (n) => '/'.repeat(n),
  (n) => `${'a.b-c_'.repeat(n / 6)}\n`,
  (n) => `${'password:'.repeat(n / 9)}`,
  (n) => `${'"\\'.repeat(n / 2)}`,
  (n) => `${'[('.repeat(n / 2)}`,
  (n) => `${'-'.repeat(n)}`,
  (n) => `"${'é'.repeat(n)}`,
];

const SHORT = 32 * 1024;
const TIMES_LONGER = 32;

function msOf(expression: RegExp, text: string): number {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const begun = performance.now();
    expression.test(text);
    best = Math.min(best, performance.now() - begun);
    if (best < 1) break;
  }
  return best;
}

describe('the regular expressions of the product', () => {
  it('[R5] take 32 times as long at most, and a margin, for strings of a megabyte that are 32 times as long', () => {
    const slow: string[] = [];
    const expressions = expressionsOf();
    expect(expressions.length).toBeGreaterThan(20);
    for (const { where, literal } of expressions) {
      const expression = compiled(literal);
      for (const attack of ATTACKS) {
        const short = msOf(expression, attack(SHORT));
        // What takes so long for so little would take a thousand times as long for a megabyte.
        if (short > 200) {
          slow.push(`${where} ${literal}: ${short} ms for 32 kB`);
          break;
        }
        const long = msOf(expression, attack(SHORT * TIMES_LONGER));
        if (long > 50 && long > short * TIMES_LONGER * 4) {
          slow.push(`${where} ${literal}: ${short} ms, then ${long} ms`);
        }
      }
    }
    expect(slow).toEqual([]);
  }, 60_000);
});
