import { parseKey } from '@agentflow/domain';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Bounds of what is accepted; published on `GET /v1/limits`. */
export interface Limits {
  requestBytes: number;
  batchBytes: number;
  batchItems: number;
  payloadBytes: number;
  payloadDepth: number;
  pageSize: number;
  /** Bytes of batches that are under way at once, in one process. */
  inFlightBytes: number;
  /** Items that one key may report in a second; 0: as many as it likes. */
  itemsPerSecondOfKey: number;
  itemsPerSecondOfOrganization: number;
}

/** Everything that can be set from outside, read once at the start. */
export interface Configuration {
  port: number;
  host: string;
  /** Absent: an embedded Postgres is started. */
  databaseUrl: string | undefined;
  /** The way to Postgres past a pooler, for what listens; absent: the way that the requests take. */
  listenUrl: string | undefined;
  /** Logs in as the owner of the schema, only to migrate; absent: `databaseUrl` does that too. */
  migrationUrl: string | undefined;
  dataDir: string;
  rootKey: string | undefined;
  bootstrapKey: string | undefined;
  worker: 'inline' | 'off';
  /** How many processes serve the API; with one, it is the process that starts. */
  apiProcesses: number;
  logLevel: string;
  poolSize: number;
  poolTimeoutMs: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  /** How long a process that was told to stop stays open, answering that it is not ready. */
  drainDelayMs: number;
  drainTimeoutMs: number;
  /** How long nothing may come of a trace without an end until it counts as failed; 0: for ever. */
  tracePatienceSeconds: number;
  /** How many streams one key may have open, in one process. */
  streamsPerKey: number;
  limits: Limits;
}

/** Says all that is wrong with the environment at once. */
export class ConfigurationError extends Error {
  constructor(readonly faults: string[]) {
    super(
      `The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigurationError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const MIB = 1024 * 1024;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Variables of clients and of the test suite, which may stand in the same environment. */
const FOREIGN = /^AGENTFLOW_(API_KEY|BASE_URL|TEST_.*)$/;

/** Reads one environment, remembering every fault and every name that was asked for. */
class EnvironmentReader {
  readonly faults: string[] = [];
  private readonly known = new Set<string>();

  constructor(private readonly env: Environment) {}

  text(name: string): string | undefined {
    this.known.add(name);
    return this.env[name] === '' ? undefined : this.env[name];
  }

  /** The value, or the content of the file that `<name>_FILE` points to. */
  secret(name: string): string | undefined {
    const direct = this.text(name);
    const file = this.text(`${name}_FILE`);
    if (file === undefined) return direct;
    if (direct !== undefined) {
      this.faults.push(`${name} and ${name}_FILE are both set; set one of them`);
      return direct;
    }
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.faults.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const raw = this.text(name);
    if (raw === undefined) return fallback;
    const value = /^\d{1,12}$/.test(raw) ? Number(raw) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.faults.push(`${name} has to be a whole number from ${min} to ${max}`);
    return fallback;
  }

  choice<T extends string>(name: string, fallback: T, values: readonly T[]): T {
    const raw = this.text(name) ?? fallback;
    if ((values as readonly string[]).includes(raw)) return raw as T;
    this.faults.push(`${name} has to be one of ${values.join(', ')}`);
    return fallback;
  }

  refuseUnknown(): void {
    for (const name of Object.keys(this.env)) {
      if (name.startsWith('AGENTFLOW_') && !this.known.has(name) && !FOREIGN.test(name)) {
        this.faults.push(`${name} is not a setting`);
      }
    }
  }
}

function postgresUrl(reader: EnvironmentReader, name: string): string | undefined {
  const url = reader.secret(name);
  if (url === undefined) return undefined;
  if (!/^postgres(ql)?:\/\//.test(url)) {
    reader.faults.push(`${name} has to begin with postgres:// or postgresql://`);
  } else if (!URL.canParse(url.replace('@/', '@host/'))) {
    // Of a URL that names its host in the query, as one for a socket does, the host is empty.
    reader.faults.push(`${name} is not a URL; what is special in a password has to be percent-encoded`);
  }
  return url;
}

function rootKey(reader: EnvironmentReader): string | undefined {
  const key = reader.secret('AGENTFLOW_ROOT_KEY');
  if (key !== undefined && !/^[\x21-\x7e]{24,256}$/.test(key)) {
    reader.faults.push('AGENTFLOW_ROOT_KEY has to be 24 to 256 printable characters without spaces');
  }
  return key;
}

function bootstrapKey(reader: EnvironmentReader): string | undefined {
  const key = reader.secret('AGENTFLOW_BOOTSTRAP_KEY');
  if (key !== undefined && parseKey(key)?.kind !== 'organization') {
    reader.faults.push(
      'AGENTFLOW_BOOTSTRAP_KEY has to be an organization key (af_org_…) with a right checksum',
    );
  }
  return key;
}

/** Reads and checks the settings; throws a `ConfigurationError` that lists every fault. */
export function readConfiguration(env: Environment): Configuration {
  const reader = new EnvironmentReader(env);
  const configuration: Configuration = {
    port: reader.integer('PORT', 4400, 0, 65_535),
    host: reader.text('HOST') ?? '127.0.0.1',
    databaseUrl: postgresUrl(reader, 'DATABASE_URL'),
    listenUrl: postgresUrl(reader, 'AGENTFLOW_LISTEN_URL'),
    migrationUrl: postgresUrl(reader, 'AGENTFLOW_MIGRATION_URL'),
    dataDir: resolve(reader.text('AGENTFLOW_DATA_DIR') ?? '.agentflow'),
    rootKey: rootKey(reader),
    bootstrapKey: bootstrapKey(reader),
    worker: reader.choice('AGENTFLOW_WORKER', 'inline', ['inline', 'off']),
    apiProcesses: reader.integer('AGENTFLOW_API_PROCESSES', 1, 1, 64),
    logLevel: reader.choice('AGENTFLOW_LOG_LEVEL', 'info', LOG_LEVELS),
    poolSize: reader.integer('AGENTFLOW_POOL_SIZE', 10, 1, 200),
    poolTimeoutMs: reader.integer('AGENTFLOW_POOL_TIMEOUT_MS', 2_000, 50, 60_000),
    statementTimeoutMs: reader.integer('AGENTFLOW_STATEMENT_TIMEOUT_MS', 5_000, 50, 600_000),
    lockTimeoutMs: reader.integer('AGENTFLOW_LOCK_TIMEOUT_MS', 3_000, 50, 600_000),
    drainDelayMs: reader.integer('AGENTFLOW_DRAIN_DELAY_MS', 2_000, 0, 600_000),
    drainTimeoutMs: reader.integer('AGENTFLOW_DRAIN_TIMEOUT_MS', 10_000, 0, 600_000),
    streamsPerKey: reader.integer('AGENTFLOW_STREAMS_PER_KEY', 100, 1, 100_000),
    tracePatienceSeconds: reader.integer('AGENTFLOW_TRACE_PATIENCE_SECONDS', 1_800, 0, 31_536_000),
    limits: {
      requestBytes: reader.integer('AGENTFLOW_MAX_REQUEST_BYTES', MIB, 1_024, 64 * MIB),
      batchBytes: reader.integer('AGENTFLOW_MAX_BATCH_BYTES', 20 * MIB, 1_024, 256 * MIB),
      batchItems: reader.integer('AGENTFLOW_MAX_BATCH_ITEMS', 5_000, 1, 50_000),
      payloadBytes: reader.integer('AGENTFLOW_MAX_PAYLOAD_BYTES', 4 * MIB, 1_024, 64 * MIB),
      payloadDepth: reader.integer('AGENTFLOW_MAX_PAYLOAD_DEPTH', 64, 1, 64),
      pageSize: 200,
      inFlightBytes: reader.integer('AGENTFLOW_MAX_IN_FLIGHT_BYTES', 64 * MIB, MIB, 4_096 * MIB),
      itemsPerSecondOfKey: reader.integer('AGENTFLOW_ITEMS_PER_SECOND_OF_KEY', 0, 0, 10_000_000),
      itemsPerSecondOfOrganization: reader.integer(
        'AGENTFLOW_ITEMS_PER_SECOND_OF_ORGANIZATION',
        0,
        0,
        10_000_000,
      ),
    },
  };
  reader.refuseUnknown();
  if (reader.faults.length > 0) throw new ConfigurationError(reader.faults);
  return configuration;
}
