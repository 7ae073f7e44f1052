const TRACEBACK = 'Traceback (most recent call last):';

/** What an error says, and what stood behind it, usually a stack. */
export interface ErrorLine {
  line: string;
  rest: string;
}

/** Python's reporters write the traceback into the line of the message, so the line ends there, too. */
export function errorLineOf(text: string): ErrorLine {
  const end = Math.min(...['\n', TRACEBACK].map((mark) => text.indexOf(mark)).filter((at) => at > 0));
  const line = text.slice(0, end === Infinity ? undefined : end).trim();
  const rest = end === Infinity ? '' : text.slice(end).trim();
  return { line: line === '' || line === TRACEBACK ? lastLineOf(text) : line, rest };
}

const STACK = /Traceback \(most recent call last\):|\n\s+at \S/;

/** Whether there is a stack in the text; other texts of several lines are all message. */
export const hasStack = (text: string): boolean => STACK.test(text);

function lastLineOf(text: string): string {
  const trimmed = text.trim();
  return trimmed.slice(trimmed.lastIndexOf('\n') + 1).trim() || 'failed';
}
