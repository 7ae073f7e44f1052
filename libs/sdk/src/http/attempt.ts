import { AgentFlowError, ApiError, ConnectionError, TimeoutError } from '../errors.js';
import { discard, readText } from './read-text.js';
import { readRetryAfter } from './retry.js';

/** The part of `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Request {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A good answer. */
export interface Received {
  status: number;
  requestId: string | undefined;
  text: string;
}

const MAX_PROBLEM_BYTES = 64 * 1024;
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Sends a request once. Whatever is not a good answer is thrown; the key never leaves for another address. */
export async function attempt(
  fetch: Fetch,
  request: Request,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const ending = new AbortController();
  const timeout = new TimeoutError(`No answer from ${origin(request)} within ${Math.round(limitMs)} ms`);
  const timer = setTimeout(() => ending.abort(timeout), limitMs);
  const abort = (): void => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const { url, ...init } = request;
    const sent = fetch(url, { ...init, body: init.body ?? null, redirect: 'manual', signal: ending.signal });
    // Also against a `fetch` that does not care for its signal.
    return await Promise.race([sent.then((response) => receive(response, request)), aborted(ending.signal)]);
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    if (error instanceof AgentFlowError) throw error;
    throw new ConnectionError(`No connection to ${origin(request)}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

async function receive(response: Response, request: Request): Promise<Received> {
  const { status } = response;
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    discard(response);
    throw new AgentFlowError(
      `${origin(request)} redirects elsewhere, which is not followed because the key would go along; ` +
        'set the base URL to where the API is',
    );
  }
  if (status >= 400) throw await refusalOf(response, requestId);
  if (status === 204) return { status, requestId, text: '' };
  if (!/^application\/json\b/.test(response.headers.get('content-type') ?? '')) {
    discard(response);
    throw new AgentFlowError(
      `${origin(request)} answered ${status} without JSON; is the base URL that of the API?`,
    );
  }
  const text = await readText(response, MAX_ANSWER_BYTES);
  if (text === undefined) {
    throw new AgentFlowError(
      `The answer is larger than ${MAX_ANSWER_BYTES} bytes; ask for a smaller page with limit`,
    );
  }
  return { status, requestId, text };
}

async function refusalOf(response: Response, requestId: string | undefined): Promise<ApiError> {
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  const text = await readText(response, MAX_PROBLEM_BYTES);
  return new ApiError(response.status, problemIn(text), { requestId, retryAfterMs });
}

/** The members of a problem; none when a proxy answered with a page of its own. */
function problemIn(text: string | undefined): Record<string, unknown> {
  try {
    const problem: unknown = JSON.parse(text ?? '');
    return typeof problem === 'object' && problem !== null ? { ...problem } : {};
  } catch {
    return {};
  }
}

function origin({ url }: Request): string {
  return new URL(url).origin;
}

/** `fetch` hides why it failed in the cause, and Node hides the cause of several addresses in its code. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
