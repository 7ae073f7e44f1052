import type { RawJson } from '@agentflow/domain';
import { fitting, LONGEST_ERROR } from '../records/fitting.js';
import { textOf } from '../records/json-reading.js';

/** An error as one line, and what stood behind it. */
export interface ReportedError {
  error: string;
  error_type?: string;
}

const TRACEBACK = 'Traceback (most recent call last):';

/** `ValueError('tool broke')`, as Python's `repr` writes it. */
const REPR = /^([A-Za-z_][\w.]{0,255})\(/;
/** `Error: tool broke`, as a stack of JavaScript begins. */
const NAMED = /^([A-Za-z_$][\w.$]{0,255}): /;

/** Python's reporter writes the traceback into the line of the message, so the line ends there, too. */
export function errorOf(
  json: RawJson | undefined,
): { said: ReportedError; stack: string | undefined } | undefined {
  const text = textOf(json);
  if (text === undefined) return undefined;
  const end = Math.min(...['\n', TRACEBACK].map((mark) => text.indexOf(mark)).filter((at) => at > 0));
  const line = text.slice(0, end === Infinity ? undefined : end).trim();
  const rest = end === Infinity ? '' : text.slice(end).trim();
  const message = line === '' || line === TRACEBACK ? lastLineOf(text) : line;
  const named = NAMED.exec(rest.split('\n', 1)[0] ?? '');
  const type =
    REPR.exec(message)?.[1] ?? (named && rest.startsWith(`${named[0]}${message}`) ? named[1] : undefined);
  const stack = message.length > LONGEST_ERROR ? text : rest;
  return {
    said: { error: fitting(message, LONGEST_ERROR), ...(type === undefined ? {} : { error_type: type }) },
    stack: stack === '' ? undefined : stack,
  };
}

function lastLineOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim() || 'failed';
}
