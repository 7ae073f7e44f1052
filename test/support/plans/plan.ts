/** One look into a table, as it was carried out. */
export interface Scan {
  /** The kind of the node, such as `Index Scan`. */
  readonly how: string;
  readonly table: string;
  /** Absent for a sequential scan. */
  readonly index: string | undefined;
  /** The rows that were read, those included that a filter then left out. */
  readonly rows: number;
  /** The pages that were touched, of the table, of its index and for its filters: what no count of rows shows. */
  readonly pages: number;
}

/** A statement of the product with the plan by which it was carried out. */
export interface Plan {
  readonly statement: string;
  readonly scans: readonly Scan[];
  /** The kinds of all nodes. */
  readonly nodes: readonly string[];
}

/** A node of `EXPLAIN (ANALYZE, FORMAT JSON)`; rows are averages over its loops, pages are all. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** Reads what auto_explain wrote of one statement. */
export function readPlan(json: string): Plan {
  const { 'Query Text': statement, Plan: root } = JSON.parse(json) as {
    'Query Text': string;
    Plan: PlanNode;
  };
  const nodes = [...walk(root)];
  return {
    statement,
    nodes: nodes.map((node) => node['Node Type']),
    scans: nodes.filter((node) => node['Relation Name'] && node['Node Type'].endsWith('Scan')).map(scanOf),
  };
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const child of node.Plans ?? []) yield* walk(child);
}

function scanOf(node: PlanNode): Scan {
  const each =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return {
    how: node['Node Type'],
    table: node['Relation Name'] as string,
    index: node['Index Name'] ?? bitmapOf(node),
    rows: Math.round(each * (node['Actual Loops'] ?? 0)),
    pages: (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
  };
}

/** The indexes of a bitmap stand below the scan of the table; what else stands there are the plans of its filters. */
function bitmapOf({ Plans = [] }: PlanNode): string | undefined {
  const bitmaps = Plans.filter((below) => below['Node Type'].startsWith('Bitmap'));
  const indexes = bitmaps.flatMap((below) => [...walk(below)]).flatMap((below) => below['Index Name'] ?? []);
  return indexes.length === 0 ? undefined : indexes.join('+');
}
