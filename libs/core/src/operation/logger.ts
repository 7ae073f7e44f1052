import { databaseFault } from '@agentflow/database';
import { pino, type DestinationStream, type Logger } from 'pino';

/**
 * The product's log: one JSON object a line. Only what is listed here gets in; never a header, a body, a payload,
 * a secret, or the text of a database error (which quotes values).
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    serializers: { err: describeError },
    // A line may say itself when it was: `time`.
    timestamp: false,
    mixin: () => ({ time: Date.now() }),
  };
  return pino(options, destination ?? bufferedOutput());
}

const FLUSH_EVERY_MS = 200;

const FLUSH_AT_LENGTH = 8 * 1024;

/**
 * Lines leave together: one write each would cost as much as a tenth of a small request. They are gathered here, since
 * pino's own output measures all that it holds with every line, which doubles what a line costs.
 */
function bufferedOutput(): DestinationStream & { flush(done?: () => void): void } {
  const output = pino.destination({ sync: false, minLength: 1 });
  let lines = '';
  const pass = (): void => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  setInterval(pass, FLUSH_EVERY_MS).unref();
  process.once('exit', () => {
    if (lines === '') return;
    pass();
    output.flushSync();
  });
  return {
    write(line) {
      lines += line;
      if (lines.length >= FLUSH_AT_LENGTH) pass();
    },
    flush(done) {
      pass();
      output.flush(done);
    },
  };
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
  return {
    type: error.name,
    ...(fault === undefined ? { message: error.message } : { message: `database: ${fault}` }),
    code: driverError?.code ?? code,
    constraint: driverError?.constraint ?? constraint,
    stack: framesOf(error),
  } as LoggedError;
}

/** The frames alone. The message stands before them, and may quote a value that looks like frames itself. */
function framesOf({ stack = '', message }: Error): string | undefined {
  const at = message === '' ? stack.indexOf('\n') : stack.indexOf(message);
  const behind = at < 0 ? '' : stack.slice(at + message.length);
  return behind.startsWith('\n    at ') ? behind : undefined;
}
