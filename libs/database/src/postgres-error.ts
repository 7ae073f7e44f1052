import { LaneBusy } from './lane-busy.js';

/** What a failure of the database means for the one who asked. */
export type DatabaseFault =
  /** Postgres is away, restarting, full, or has no free connection: try again later. */
  | 'unavailable'
  /** The statement or a lock took longer than it may. */
  | 'timeout'
  /** A deadlock or a serialization failure: the same transaction may succeed at once. */
  | 'retryable'
  /** Row security or a missing grant refused a row: for the caller it does not exist. */
  | 'invisible'
  | 'unique_violation'
  | 'foreign_key_violation'
  /** A value that the doors should have refused. */
  | 'bad_value'
  | 'unknown';

const CODES: Record<string, DatabaseFault> = {
  '40001': 'retryable',
  '40P01': 'retryable',
  '57014': 'timeout',
  '55P03': 'timeout',
  '42501': 'invisible',
  '23505': 'unique_violation',
  '23503': 'foreign_key_violation',
};

/** Classes of SQLSTATE: 08 connection, 53 resources, 57P operator intervention, 58 system, 22 data, 23 constraint. */
const CLASSES: [prefix: string, DatabaseFault][] = [
  ['08', 'unavailable'],
  ['53', 'unavailable'],
  ['57P', 'unavailable'],
  ['58', 'unavailable'],
  ['25P03', 'unavailable'],
  ['22', 'bad_value'],
  ['23', 'bad_value'],
];

/** Five characters with a digit among them; codes of the system, such as EPERM, have none. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

/** Faults of the socket and of the pool, which carry no SQLSTATE. */
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
const MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
  'Query read timeout',
  'Driver not Connected',
];

interface ErrorFromDatabase {
  code?: string;
  syscall?: string;
  message?: string;
  constraint?: string;
}

/** The error as `pg` raised it: TypeORM wraps it. Anything may be thrown, so nothing is taken for granted. */
function driverError(error: unknown): ErrorFromDatabase {
  const outer = error as { driverError?: unknown } | null | undefined;
  const { code, constraint, syscall, message } = (outer?.driverError ?? outer ?? {}) as Record<
    string,
    unknown
  >;
  return {
    code: text(code),
    constraint: text(constraint),
    syscall: text(syscall),
    message: text(message),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Says what a failure means; `undefined` when it did not come from the database at all. */
export function databaseFault(error: unknown): DatabaseFault | undefined {
  if (error instanceof LaneBusy) return 'timeout';
  const { code, constraint, syscall, message = '' } = driverError(error);
  // Somebody else wrote the same id meanwhile: the transaction, repeated, finds it and answers a duplicate.
  if (code === '23505' && constraint?.startsWith('pk_')) return 'retryable';
  // A Unix socket that is gone is a missing file to connect to; other missing files are nothing of the database.
  if (code !== undefined && (SOCKET.has(code) || (code === 'ENOENT' && syscall === 'connect')))
    return 'unavailable';
  if (code !== undefined && SQLSTATE.test(code)) {
    return CODES[code] ?? CLASSES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'unknown';
  }
  return MESSAGES.some((known) => message.includes(known)) ? 'unavailable' : undefined;
}

/** The name of the constraint or unique index that was violated. */
export function violatedConstraint(error: unknown): string | undefined {
  return driverError(error).constraint;
}

/** Whether a lock was waited for as long as it may be. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error).code === '55P03';
}
