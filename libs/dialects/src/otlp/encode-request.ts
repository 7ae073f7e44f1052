import type { RecordSource } from './record-source.js';

/**
 * A request for the export of spans or logs, put together from the bytes that its records came in; nothing is decoded or
 * encoded again. Both kinds have the same shape: groups by resource, in them groups by scope, in them records.
 */
export function encodeRequest(sources: readonly RecordSource[]): Uint8Array {
  return Buffer.concat(groupsOf(sources).map((group) => field(1, resourceGroupOf(group))));
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

function resourceGroupOf(group: readonly RecordSource[]): Buffer {
  const { scopes, resources } = group[0] as RecordSource;
  const scoped = [...scopes.map((scope) => field(1, scope)), ...group.map(({ record }) => field(2, record))];
  return Buffer.concat([...resources.map((resource) => field(1, resource)), field(2, Buffer.concat(scoped))]);
}

/** A field that has a length, as all of these do. */
function field(number: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2, ...varintOf(content.length)]), content]);
}

function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}
