import type { RawJson } from '@agentflow/domain';
import { errorLineOf } from '../records/error-line.js';
import { fitting, LONGEST_ERROR } from '../records/fitting.js';
import { textOf } from '../records/json-reading.js';

/** An error as one line, and what stood behind it. */
export interface ReportedError {
  error: string;
  error_type?: string;
}

/** `ValueError('tool broke')`, as Python's `repr` writes it. */
const REPR = /^([A-Za-z_][\w.]{0,255})\(/;
/** `Error: tool broke`, as a stack of JavaScript begins. */
const NAMED = /^([A-Za-z_$][\w.$]{0,255}): /;

export function errorOf(
  json: RawJson | undefined,
): { said: ReportedError; stack: string | undefined } | undefined {
  const text = textOf(json);
  if (text === undefined) return undefined;
  const { line: message, rest } = errorLineOf(text);
  const named = NAMED.exec(rest.split('\n', 1)[0] ?? '');
  const type =
    REPR.exec(message)?.[1] ?? (named && rest.startsWith(`${named[0]}${message}`) ? named[1] : undefined);
  const stack = message.length > LONGEST_ERROR ? text : rest;
  return {
    said: { error: fitting(message, LONGEST_ERROR), ...(type === undefined ? {} : { error_type: type }) },
    stack: stack === '' ? undefined : stack,
  };
}
