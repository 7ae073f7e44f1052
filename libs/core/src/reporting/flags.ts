import { FLAGS_MEMBER } from '@agentflow/contracts';
import { DomainError, RawJson, encodeJson, jsonMembers } from '@agentflow/domain';

/**
 * What the product notes about something that was reported, beside the reporter's own metadata:
 * - `ended_before_start`: the reporter's clocks disagree, so the latency is 0;
 * - `open_at_end`: it was still open when its run ended;
 * - `late`: it was completed after its run had ended.
 */
export type Flag = 'ended_before_start' | 'open_at_end' | 'late';

/** Whether reported metadata would set flags itself, however their name is spelt; what lies deeper is the reporter's. */
export function setsFlags(metadata: RawJson): boolean {
  const { text } = metadata;
  // Without an escape a name stands as it is.
  if (!text.includes(FLAGS_MEMBER) && !text.includes('\\')) return false;
  return jsonMembers(metadata)?.has(FLAGS_MEMBER) === true;
}

/** Refuses a report that would set flags itself: they decide what may still be completed. */
export function refuseFlags(metadata: RawJson | undefined): void {
  if (metadata === undefined || !setsFlags(metadata)) return;
  throw new DomainError('invalid_request', {
    faults: [{ pointer: `/metadata/${FLAGS_MEMBER}`, detail: 'is kept by AgentFlow itself' }],
  });
}

/** The metadata with one flag more. */
export function flagged(metadata: RawJson, flag: Flag): RawJson {
  const members = jsonMembers(metadata) ?? new Map<string, RawJson>();
  const flags = flagsIn(members);
  if (flags.includes(flag)) return metadata;
  members.set(FLAGS_MEMBER, RawJson.trusted(JSON.stringify([...flags, flag])));
  return RawJson.trusted(encodeJson(Object.fromEntries(members)));
}

/** The flags that were noted. */
export function flagsOf(metadata: RawJson): Flag[] {
  if (!metadata.text.includes(FLAGS_MEMBER)) return [];
  return flagsIn(jsonMembers(metadata) ?? new Map()) as Flag[];
}

/** The metadata with several flags more. */
export function withFlags(metadata: RawJson, flags: readonly Flag[]): RawJson {
  return flags.reduce(flagged, metadata);
}

/** Whether it was open when its run ended and has not been completed since. */
export function isAwaited(metadata: RawJson): boolean {
  if (!metadata.text.includes(FLAGS_MEMBER)) return false;
  const flags = flagsIn(jsonMembers(metadata) ?? new Map());
  return flags.includes('open_at_end') && !flags.includes('late');
}

/** The metadata as the reporter sent it. */
export function withoutFlags(metadata: RawJson): RawJson {
  if (!metadata.text.includes(FLAGS_MEMBER)) return metadata;
  const members = jsonMembers(metadata) ?? new Map<string, RawJson>();
  members.delete(FLAGS_MEMBER);
  return RawJson.trusted(encodeJson(Object.fromEntries(members)));
}

/** New metadata, where some was sent, in the place of old; what the product has noted stays. */
export function replaceMetadata(stored: RawJson, sent: RawJson | undefined): RawJson {
  if (sent === undefined) return stored;
  const flags = flagsIn(jsonMembers(stored) ?? new Map()) as Flag[];
  return flags.reduce(flagged, sent);
}

function flagsIn(members: Map<string, RawJson>): string[] {
  const value = members.get(FLAGS_MEMBER)?.parse();
  return Array.isArray(value) ? value.filter((flag): flag is string => typeof flag === 'string') : [];
}
