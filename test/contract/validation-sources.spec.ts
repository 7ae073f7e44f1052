import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { callsIn, chainOf, placeOf, productSources, type CallSite } from '../support/sources/sources.js';
import { declaredStatements } from '../support/sources/statements.js';

const CALLS = productSources().flatMap(callsIn);
const STATEMENTS = declaredStatements();

const methods = (...names: string[]): CallSite[] =>
  CALLS.filter(({ name, isMethod }) => isMethod && names.includes(name));
const places = (sites: CallSite[]): string[] => sites.map(placeOf);

/** Every table with a tenant, from the schema as it is dumped. */
function tenantTables(): string[] {
  const schema = readFileSync(new URL('../../migrations/schema.sql', import.meta.url), 'utf8');
  return [...schema.matchAll(/^CREATE TABLE (\w+) \(\n {2}tenant_id uuid NOT NULL/gm)].map(
    ([, table]) => table as string,
  );
}

/** Statements of the housekeeper, who works for all tenants, and through functions that see to it themselves. */
const FOR_ALL_TENANTS = new Set([
  'find-due-approvals',
  'find-open-bulk-actions',
  'find-expired-leases',
  'find-outdated-reports',
  'find-silent-traces',
  'forget-idempotency-keys',
  'forget-deleted-runs',
  'find-interrupted-deletions',
]);

/** Files whose statements are put together, and where a test of their own looks at the result. */
const PUT_TOGETHER = [
  'apps/api/src/access/visibility.ts',
  'libs/core/src/approvals/sql/open-approvals.ts',
  'libs/core/src/approvals/sql/resolve-approvals.ts',
  'libs/core/src/bulk-actions/sql/preview-runs.ts',
  'libs/core/src/comparison/sql/find-compared.ts',
  'libs/core/src/housekeeping/sql/expired-leases.ts',
  'libs/core/src/housekeeping/sql/silent-traces.ts',
  'libs/core/src/ingest/sql/find-known.ts',
  'libs/core/src/ingest/sql/hold-runs.ts',
  'libs/core/src/ingest/sql/write-children.ts',
  'libs/core/src/ingest/sql/write-runs.ts',
  'libs/core/src/ingest/sql/write-steps.ts',
  'libs/core/src/lists/filtered-list.ts',
  'libs/core/src/received-reports/sql/received-reports.ts',
  'libs/core/src/reporting/sql/add-to-run.ts',
  'libs/core/src/reporting/sql/append-event.ts',
  'libs/core/src/run-log/sql/find-events.ts',
  'libs/core/src/run-log/sql/find-settled-events.ts',
  'libs/core/src/runs/sql/copy-run.ts',
  'libs/core/src/runs/sql/insert-run.ts',
  'libs/core/src/runs/sql/move-run.ts',
];

/** Who may ask the database outside every scope; row security shows them nothing. */
const UNSCOPED = [
  'libs/core/src/received-reports/sql/received-reports.ts',
  'apps/api/src/access/key-ring.ts',
  'apps/api/src/start/found-first-organization.ts',
  'libs/core/src/bulk-actions/sql/open-bulk-actions.ts',
  'libs/core/src/housekeeping/sql/due-approvals.ts',
  'libs/core/src/housekeeping/sql/expired-leases.ts',
  'libs/core/src/housekeeping/sql/find-interrupted-deletions.ts',
  'libs/core/src/housekeeping/sql/forget-expired.ts',
  'libs/core/src/housekeeping/sql/silent-traces.ts',
];

describe('how the sources ask the database', () => {
  it('[V4] Every statement over a table with a tenant begins with the tenant of the scope', () => {
    expect(STATEMENTS.length).toBeGreaterThan(40);
    const tables = tenantTables();
    expect(tables).toEqual(expect.arrayContaining(['projects', 'agents', 'runs', 'steps', 'api_keys']));
    const touches = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO) (?:${tables.join('|')})\\b`);
    const isBound = (text: string): boolean =>
      /\btenant_id = \$1\b/.test(text) ||
      /INTO \w+(?: AS \w+)? \((?:tenant_id|[^)]*\btenant_id)[^)]*\) (?:SELECT \$1|VALUES \(\$1)\b/.test(text);
    const unbound = STATEMENTS.filter(
      ({ name, text }) => touches.test(text) && !isBound(text) && !FOR_ALL_TENANTS.has(name),
    );
    expect(unbound).toEqual([]);
  });

  it('[V4] The text of a statement is constant, but where it is put together from parts that are', () => {
    const open = STATEMENTS.filter(({ path, text }) => text.includes('?') && !PUT_TOGETHER.includes(path));
    expect(open.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
    expect(new Set(STATEMENTS.map(({ name }) => name)).size).toBe(STATEMENTS.length);
  });

  it('[V5] An OR of a statement stands in parentheses, so that it never frees the rest of the condition', () => {
    const free = STATEMENTS.filter(({ text }) => hasFreeOr(text));
    expect(free.map(({ name }) => name)).toEqual([]);
  });

  it('[V4] Nothing asks outside every scope but what has no scope yet, or works for all', () => {
    const elsewhere = methods('unscoped').filter(({ source }) => !UNSCOPED.includes(source.path));
    expect(places(elsewhere)).toEqual([]);
  });

  it('[V4] [V5] No repository of TypeORM is used: they find everything for an empty condition, and save over others', () => {
    const forbidden = [
      'getRepository',
      'save',
      'findBy',
      'findOneBy',
      'findAndCount',
      'findAndCountBy',
      'orWhere',
      'orHaving',
      'upsert',
      'softDelete',
    ];
    const onManagers = methods(...forbidden).filter(
      ({ call }) => !/^(this\.)?(entries|known|controller|\w*(Map|Set|Cache))\b/.test(call.getText()),
    );
    expect(places(onManagers)).toEqual([]);
    const queries = methods('query').filter(({ source }) => !source.path.startsWith('libs/database/src/'));
    expect(places(queries.filter(({ call }) => !call.getText().endsWith("('SELECT 1')")))).toEqual([]);
  });

  it('[V4] Whoever builds a query binds the tenant first, and whoever builds a row sets it', () => {
    const builders = methods('createQueryBuilder').map((site) => ({
      place: placeOf(site),
      chain: chainOf(site.call),
    }));
    expect(builders.length).toBeGreaterThan(3);
    const isBound = (chain: string): boolean =>
      chain.includes('.insert()')
        ? /\.values\(\{.*\b(tenant_id|id): tx\.scope\.tenantId\b/.test(chain)
        : /\.where\('(\w+\.)?(tenant_id|id) = :tenantId', \{ tenantId\b/.test(chain);
    expect(builders.filter(({ chain }) => !isBound(chain))).toEqual([]);
  });

  it('[V1] Sorting and conditions of built queries are literals: nothing that was sent gets into their text', () => {
    const written = methods(
      'orderBy',
      'addOrderBy',
      'where',
      'andWhere',
      'select',
      'addSelect',
      'having',
      'groupBy',
    );
    expect(written.length).toBeGreaterThan(5);
    const open = written.filter(({ call }) => {
      const [first] = call.arguments ?? [];
      return first !== undefined && !ts.isStringLiteralLike(first);
    });
    expect(places(open)).toEqual([]);
  });

  it('[R5] No expression is compiled from what is sent, and no code either', () => {
    const compiled = CALLS.filter(
      ({ name, isMethod }) => !isMethod && ['RegExp', 'eval', 'Function', 'setTimeout'].includes(name),
    ).filter(
      ({ name, call }) =>
        name !== 'setTimeout' || ts.isStringLiteralLike(call.arguments?.[0] as ts.Expression),
    );
    expect(places(compiled)).toEqual([]);
  });
});

const CLAUSES =
  /\(|\)|\b(?:SELECT|FROM|WHERE|ON|HAVING|SET|VALUES|RETURNING|BY|WHEN|THEN|ELSE|CASE|END|OR)\b/g;

/** Whether an OR stands directly in a condition, where an AND before it binds closer. */
function hasFreeOr(text: string): boolean {
  const clauses = [''];
  for (const [token] of text.matchAll(CLAUSES)) {
    if (token === 'OR' && ['WHERE', 'ON', 'HAVING'].includes(clauses.at(-1) as string)) return true;
    if (token === '(' || token === 'CASE') clauses.push('');
    else if (token === ')' || token === 'END') clauses.pop();
    else if (token !== 'OR') clauses[clauses.length - 1] = token;
  }
  return false;
}
