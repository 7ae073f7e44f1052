import { databaseFault } from '@agentflow/database';
import { pino, type DestinationStream, type Logger } from 'pino';

/**
 * The product's log: one JSON object a line. Only what is listed here gets in; never a header, a body, a payload,
 * a secret, or the text of a database error (which quotes values).
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: undefined, serializers: { err: describeError } };
  return destination
    ? pino(options, destination)
    : pino(options, pino.destination({ sync: false, minLength: 0 }));
}

interface LoggedError {
  type: string;
  message?: string;
  code?: string;
  constraint?: string;
  stack?: string;
}

function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, driverError } = error as Error & {
    code?: string;
    constraint?: string;
    driverError?: { code?: string; constraint?: string };
  };
  const fault = databaseFault(error);
  const frames = error.stack?.slice(error.stack.indexOf('\n    at '));
  return {
    type: error.name,
    ...(fault === undefined ? { message: error.message } : { message: `database: ${fault}` }),
    code: driverError?.code ?? code,
    constraint: driverError?.constraint ?? constraint,
    stack: frames,
  } as LoggedError;
}
