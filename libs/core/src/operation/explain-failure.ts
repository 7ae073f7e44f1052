import { databaseFault } from '@agentflow/database';

/** Failures whose message is a sentence for the person who started the process, by name. */
const EXPLAINED = new Set([
  'ConfigurationError',
  'DataDirectoryInUse',
  'DoorsClosed',
  'EmbeddedPostgresError',
  'MigrationRefused',
  'RolesMissing',
  'UnsafeRole',
]);

/** Why a process did not start, for the person who started it: a sentence where we know one, else the stack. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Something that is no error was thrown: ${typeof error}`;
  if (EXPLAINED.has(error.name)) return error.message;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  // Of several processes that share a port, the one that takes it for them says that it binds.
  if (syscall === 'listen' || syscall === 'bind') return whyNotListen(error);
  if (databaseFault(error) === 'unavailable') {
    return `Postgres does not answer: ${reasonOf(error)}. Is it running, and is DATABASE_URL right?`;
  }
  // Invalid authorization, and a database that does not exist.
  if (/^(28|3D)/.test(code)) return `Postgres refused the login: ${error.message}. Is DATABASE_URL right?`;
  return error.stack ?? error.message;
}

function whyNotListen(error: NodeJS.ErrnoException & { address?: string; port?: number }): string {
  const { code, address, port, message } = error;
  if (code === 'EADDRINUSE') return `Port ${port} of ${address} is taken. Set PORT to another one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set PORT to another one.`;
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine. Set HOST to one.`;
  return `Cannot listen: ${message}`;
}

/** A name with several addresses fails once for each of them, in an error without a message. */
function reasonOf(error: Error): string {
  const errors = error instanceof AggregateError ? (error.errors as Error[]) : [error];
  return errors.map(({ message }) => message).join(', ');
}
