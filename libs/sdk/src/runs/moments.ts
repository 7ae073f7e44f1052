/**
 * What begins now gets the time of here: how long it took is then what the agent saw, not what the network added.
 * What is reported afterwards, with a status or an outcome, is left as it is.
 */
export function withStart<T extends Beginning>(params: T): T {
  const { status, started_at, ended_at, result, error, error_type } = params;
  const isOpen = status === undefined || status === 'running';
  const hasOutcome = [started_at, ended_at, result, error, error_type].some((member) => member !== undefined);
  return isOpen && !hasOutcome ? { ...params, started_at: now() } : params;
}

interface Beginning {
  status?: string;
  started_at?: string;
  ended_at?: string;
  result?: unknown;
  error?: string;
  error_type?: string;
}

/** The time of this machine. */
export function now(): string {
  return new Date().toISOString();
}
