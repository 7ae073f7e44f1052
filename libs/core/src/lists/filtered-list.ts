import {
  scopeColumns,
  sql,
  type Parameter,
  type Slice,
  type Statement,
  type Transaction,
} from '@agentflow/database';

/** A filter, what it demands of a row, and what is bound for it where that is not the value itself. */
export type Condition<Filters> = readonly [
  filter: keyof Filters & string,
  text: (parameter: string) => string,
  bound?: (value: string) => Parameter,
];

/** A list of a table with a tenant, a project and an agent, newest first. */
export interface ListForm<Filters> {
  /** With which the names of its statements begin. */
  readonly name: string;
  readonly from: string;
  readonly columns: string;
  /** The column of the time by which it is ordered; the id decides between equal ones. */
  readonly time: string;
  /** One condition a filter; the order is that of the text, so that equal filters make equal texts. */
  readonly conditions: readonly Condition<Filters>[];
  /** The filter, and column, that takes several values; none are as good as no filter. */
  readonly merged: keyof Filters & string;
}

/** A statement and its values. */
export interface BoundStatement<Row> {
  readonly statement: Statement<Row>;
  readonly values: Parameter[];
}

/**
 * What lists the rows that a scope sees and the filters let through, for one slice. Statements differ by which filters are given
 * and by the number of merged values, never by values: a few hundred texts at most.
 */
export function filteredList<Filters extends object, Row>(
  form: ListForm<Filters>,
): (tx: Pick<Transaction, 'scope'>, filters: Filters, slice: Slice) => BoundStatement<Row> {
  const statements = new Map<string, Statement<Row>>();
  return ({ scope }, filters, slice) => {
    const values: Parameter[] = [];
    const bind = (value: Parameter): string => `$${values.push(value)}`;
    const [tenantId, projectId, agentId] = scopeColumns(scope);
    const conditions = [`tenant_id = ${bind(tenantId)}`];
    if (projectId !== null) conditions.push(`project_id = ${bind(projectId)}::uuid`);
    if (agentId !== null) conditions.push(`agent_id = ${bind(agentId)}::uuid`);
    const given = form.conditions.filter(([filter]) => filters[filter] !== undefined);
    for (const [filter, text, bound = itself] of given)
      conditions.push(text(bind(bound(filters[filter] as string))));
    if (slice.after) {
      const [at, after] = slice.after;
      conditions.push(`(${form.time}, id) < (${bind(at)}::timestamptz, ${bind(after)}::uuid)`);
    }
    const merged = ((filters[form.merged] ?? []) as readonly string[]).map((value) => bind(value));
    const limit = bind(slice.limit);
    const names = given.map(([filter]) => filter);
    const shape = [scope.kind, ...names, slice.after ? 'after' : '', merged.length].join('+');
    const statement =
      statements.get(shape) ??
      sql<Row>(`${form.name}-${statements.size}`, listText(form, conditions, merged, limit));
    statements.set(shape, statement);
    return { statement, values };
  };
}

const itself = (value: string): Parameter => value;

/**
 * Each merged value is read in the order of an index that leads by it, and the few first rows of each are merged: an ANY over
 * several would have to sort all that match.
 */
function listText(
  { from, columns, time, merged: column }: Omit<ListForm<never>, 'conditions'>,
  conditions: readonly string[],
  merged: readonly string[],
  limit: string,
): string {
  const first = `ORDER BY ${time} DESC, id DESC LIMIT ${limit}`;
  const select = (more: readonly string[]): string =>
    `SELECT ${columns} FROM ${from} WHERE ${[...conditions, ...more].join(' AND ')} ${first}`;
  const each = merged.map((value) => `${column} = ${value}`);
  if (each.length < 2) return select(each);
  return `SELECT * FROM (${each.map((one) => `(${select([one])})`).join(' UNION ALL ')}) ${from} ${first}`;
}
