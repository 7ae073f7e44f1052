export {
  base62,
  base62BytesFor,
  composeKey,
  digestKey,
  type ParsedKey,
  parseKey,
  PUBLIC_ID_LENGTH,
  SECRET_LENGTH,
} from './api-key-format.js';
export { align, type Alignment } from './alignment.js';
export { bringsAnswer, decisionsOf, statusAfter } from './approval-lifecycle.js';
export { boundedFaults } from './bounded-faults.js';
export {
  comparePayloads,
  type MeasuredPayload,
  type OmittedDifference,
  type PayloadDifference,
} from './payload-difference.js';
export { parseCost, parseScore, plainDecimal } from './decimals.js';
export { DomainError, type DomainErrorOptions, notFound } from './domain-error.js';
export { parseId } from './identifiers.js';
export { isBare } from './json/bare.js';
export { canonicalJson, sameJson } from './json/canonical-json.js';
export { decodeUtf8 } from './json/decode-utf8.js';
export { encodeJson } from './json/encode-json.js';
export type { EnvelopeShape } from './json/envelope-shape.js';
export {
  DEFAULT_JSON_LIMITS,
  type JsonFault,
  type JsonFaultKind,
  type JsonLimits,
} from './json/json-fault.js';
export { jsonMembers } from './json/json-members.js';
export { endOfString } from './json/json-text.js';
export { jsonPointer } from './json/json-pointer.js';
export type { PayloadKind } from './json/payload-check.js';
export { RawJson } from './json/raw-json.js';
export {
  type BatchReading,
  type Envelope,
  type EnvelopeReading,
  type ItemReading,
  readEnvelope,
  readEnvelopeLines,
  readEnvelopeList,
} from './json/read-envelope.js';
export { type PayloadReading, readPayload } from './json/read-payload.js';
export { canMint, type KeyGrant, type MintDecision, type MintRefusal } from './key-minting.js';
export { normalizeName, type NormalizedName } from './names.js';
export {
  advance,
  allowedTransitions,
  isTerminal,
  sourcesOf,
  targetOf,
  transitionsAsSql,
} from './run-lifecycle.js';
export {
  closedWithRun,
  isStepTerminal,
  isToolCallTerminal,
  stepTransitions,
  toolCallTransitions,
} from './step-lifecycle.js';
export { durationMs, fromPostgres, parseTimestamp } from './timestamps.js';
export { countedUsage, type UsageStep } from './usage.js';
export {
  type AgentDefinition,
  type Change,
  changeOf,
  type ConfigDiff,
  diffJson,
  diffVersions,
  sameDefinition,
  type VersionDiff,
} from './version-diff.js';
