import { AgentFlowError, TimeoutError } from '../errors.js';
import { newId } from '../ids.js';
import { encodeJson } from '../json/encode-json.js';
import { ApiPromise } from './api-promise.js';
import { attempt, type Fetch, type Received, type Request } from './attempt.js';
import { isPassing, pause, retryDelayMs } from './retry.js';
import { urlOf, type Query } from './url.js';

/** What a single call can be given beside its content. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for this call with all its retries, instead of the client's. */
  timeoutMs?: number;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  /** The segments of the path after the version. */
  route: readonly string[];
  query?: Query;
  body?: object;
  /** The content carries no id that would make a repeat known: an idempotency key does. */
  isKeyed?: boolean;
}

export interface TransportSettings {
  apiKey: string;
  baseUrl: URL;
  fetch: Fetch;
  timeoutMs: number;
  maxRetries: number;
  parse: (text: string) => unknown;
}

/** Carries calls to the API and answers back: the key, retries, deadlines. */
export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Calls the API and reads the JSON of its answer. What cannot be sent is a rejection like any other. */
  call<T>(call: Call, options: CallOptions = {}): ApiPromise<T> {
    return new ApiPromise(this.#send(call, options), ({ text }) => this.#parse(text) as T);
  }

  /**
   * Sends a request until it is answered, word for word the same each time: with the ids and the key that it got
   * once, a repeat is a duplicate. One attempt gets half of the time that is left, the last one all of it, so that a
   * silent connection does not use up the whole.
   */
  async #send(call: Call, { signal, timeoutMs = this.#settings.timeoutMs }: CallOptions): Promise<Received> {
    const { fetch, maxRetries } = this.#settings;
    const request = this.#requestOf(call);
    const deadline = performance.now() + timeoutMs;
    const leftMs = (): number => deadline - performance.now();
    for (let n = 0; ; n++) {
      signal?.throwIfAborted();
      try {
        return await attempt(fetch, request, n < maxRetries ? leftMs() / 2 : leftMs(), signal);
      } catch (error) {
        if (n === maxRetries || !isPassing(error)) throw finalOf(error, request, timeoutMs);
        const delayMs = retryDelayMs(error, n, leftMs());
        if (delayMs >= leftMs()) throw finalOf(error, request, timeoutMs);
        await pause(delayMs, signal);
      }
    }
  }

  #requestOf({ method, route, query, body, isKeyed = false }: Call): Request {
    const { apiKey, baseUrl } = this.#settings;
    return {
      url: urlOf(baseUrl, route, query),
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(isKeyed ? { 'idempotency-key': newId() } : {}),
      },
      body: body === undefined ? undefined : encodeJson(body),
    };
  }

  #parse(text: string): unknown {
    try {
      return this.#settings.parse(text);
    } catch (cause) {
      throw new AgentFlowError('The answer could not be parsed', { cause });
    }
  }
}

/** Silence is told by the time of the whole call, not of its last attempt. */
function finalOf(error: unknown, { url }: Request, timeoutMs: number): unknown {
  if (!(error instanceof TimeoutError)) return error;
  return new TimeoutError(`No answer from ${new URL(url).origin} within ${timeoutMs} ms`);
}
