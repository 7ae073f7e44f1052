import { errorLineOf, hasStack } from '../records/error-line.js';
import { textOf } from './attributes-of.js';
import type { Attributes, Span } from './span.js';

/** How a span ended. */
export interface Outcome {
  status: 'succeeded' | 'failed' | 'cancelled';
  error?: string;
  errorType?: string;
  /** What the span says behind its message. */
  stack?: string;
}

const CANCELLED = /(^|[.:])(CancelledError|CanceledError|AbortError|TaskCancelled(Error)?)$/;

/**
 * How the span ended; nothing while it has no end. It failed by its status, by Langfuse's level, by Strands' word for a
 * tool, or by an exception that no status of OK answers.
 */
export function outcomeOf(span: Span): Outcome | undefined {
  if (span.endedAt === 0n) return undefined;
  const { attributes, status } = span;
  const exception = exceptionOf(span);
  const isFailed =
    status.code === 2 ||
    textOf(attributes, ['langfuse.observation.level'])?.toUpperCase() === 'ERROR' ||
    textOf(attributes, ['gen_ai.tool.status']) === 'error' ||
    (exception !== undefined && status.code !== 1);
  if (!isFailed) return { status: 'succeeded' };
  const errorType = textOf(attributes, ['error.type']) ?? exception?.type;
  const error =
    textOf(attributes, ['langfuse.observation.status_message']) ??
    (status.message || (exception?.text ?? errorType));
  return {
    status: errorType !== undefined && CANCELLED.test(errorType) ? 'cancelled' : 'failed',
    ...(error === undefined ? {} : lineAndStackOf(error)),
    ...(errorType === undefined ? {} : { errorType }),
  };
}

/** OpenInference puts the stack behind the message. */
function lineAndStackOf(error: string): Pick<Outcome, 'error' | 'stack'> {
  if (!hasStack(error)) return { error };
  const { line, rest } = errorLineOf(error);
  return { error: line, stack: rest };
}

/** The last exception that the span noted, as `type: message`. */
function exceptionOf(span: Span): { text?: string; type?: string } | undefined {
  const attributes: Attributes | undefined = span.events
    .filter(({ name }) => name === 'exception')
    .at(-1)?.attributes;
  if (attributes === undefined) return undefined;
  const type = textOf(attributes, ['exception.type']);
  const words = [type, textOf(attributes, ['exception.message'])].filter((word) => word !== undefined);
  return {
    ...(words.length === 0 ? {} : { text: words.join(': ') }),
    ...(type === undefined ? {} : { type }),
  };
}
