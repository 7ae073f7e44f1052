import type { ApiPromise } from './http/api-promise.js';
import type { Fetch } from './http/attempt.js';
import { Transport, type CallOptions } from './http/transport.js';
import { readBaseUrl } from './http/url.js';
import { Projects } from './projects.js';
import { Runs } from './runs/runs.js';
import type { Me } from './types.js';

export interface AgentFlowOptions {
  /** Default: the environment's `AGENTFLOW_API_KEY`. */
  apiKey?: string;
  /** Where the API is. Default: the environment's `AGENTFLOW_BASE_URL`, else `http://127.0.0.1:4400`. */
  baseUrl?: string;
  /** Used instead of the global `fetch`. */
  fetch?: Fetch;
  /** Milliseconds for a call with all its retries. Default 30,000. */
  timeoutMs?: number;
  /** How often a call is sent again at most. Default 4. */
  maxRetries?: number;
  /**
   * Used instead of `JSON.parse`, which rounds numbers beyond 2^53: a parser that keeps them is given here, and the
   * payloads that it makes are what the client answers.
   */
  parse?: (text: string) => unknown;
}

/** A client of the AgentFlow API, with one key. */
export class AgentFlow {
  readonly runs: Runs;
  readonly projects: Projects;
  readonly #transport: Transport;

  constructor(options: AgentFlowOptions = {}) {
    this.#transport = new Transport({
      apiKey: readKey(options.apiKey ?? environment('AGENTFLOW_API_KEY')),
      baseUrl: readBaseUrl(options.baseUrl ?? environment('AGENTFLOW_BASE_URL') ?? 'http://127.0.0.1:4400'),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      timeoutMs: positive('timeoutMs', options.timeoutMs ?? 30_000),
      maxRetries: options.maxRetries ?? 4,
      parse: options.parse ?? ((text) => JSON.parse(text) as unknown),
    });
    this.runs = new Runs(this.#transport);
    this.projects = new Projects(this.#transport);
  }

  /** Whose key this is, and what it may do. */
  me(options?: CallOptions): ApiPromise<Me> {
    return this.#transport.call({ method: 'GET', route: ['me'] }, options);
  }
}

/** The key is checked before it is sent, since `fetch` would put one that is no header into its error. */
function readKey(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw new TypeError('An API key is needed: give apiKey, or set AGENTFLOW_API_KEY');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The API key has characters that no key has');
  return key;
}

function positive(name: string, value: number): number {
  if (!(value > 0 && value < 2 ** 31))
    throw new TypeError(`${name} has to be from 1 to ${2 ** 31 - 1} milliseconds`);
  return value;
}

/** A variable of the environment, where there is one: not in browsers. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
