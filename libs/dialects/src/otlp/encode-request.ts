import type { RecordSource } from './record-source.js';

/**
 * A request for the export of spans or logs, put together from the bytes that its records came in; nothing is decoded or
 * encoded again. Both kinds have the same shape: groups by resource, in them groups by scope, in them records.
 */
export function encodeRequest(sources: readonly RecordSource[]): Uint8Array {
  return Buffer.concat(groupsOf(sources).flatMap((group) => field(1, resourceGroupOf(group))));
}

/** Neighbours of the same group stay together, and the order stays. */
function groupsOf(sources: readonly RecordSource[]): RecordSource[][] {
  const groups: RecordSource[][] = [];
  for (const source of sources) {
    const last = groups.at(-1)?.[0];
    if (last?.scopes === source.scopes && last.resources === source.resources) groups.at(-1)?.push(source);
    else groups.push([source]);
  }
  return groups;
}

/** A message in pieces: what nests would be copied once a level. */
type Pieces = Uint8Array[];

function resourceGroupOf(group: readonly RecordSource[]): Pieces {
  const { scopes, resources } = group[0] as RecordSource;
  const scoped = [
    ...scopes.flatMap((scope) => field(1, [scope])),
    ...group.flatMap(({ record }) => field(2, [record])),
  ];
  return [...resources.flatMap((resource) => field(1, [resource])), ...field(2, scoped)];
}

/** A field that has a length, as all of these do. */
function field(number: number, content: Pieces): Pieces {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  return [Buffer.from([number * 8 + 2, ...varintOf(length)]), ...content];
}

function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
