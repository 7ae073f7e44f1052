import type { Received } from './attempt.js';

/** An answer, and how it came. */
export interface WithResponse<T> {
  data: T;
  /** The JSON as it was sent, digit for digit. */
  text: string;
  status: number;
  /** The id under which the server logged the request. */
  requestId: string | undefined;
}

/** A promise of the answer's data; `withResponse()` gives the answer's text along with it. */
export class ApiPromise<T> extends Promise<T> {
  readonly #received: Promise<Received>;
  readonly #read: (received: Received) => T;
  #data: Promise<T> | undefined;

  constructor(received: Promise<Received>, read: (received: Received) => T) {
    super((resolve) => resolve(undefined as never)); // never looked at: `then` is ours
    this.#received = received;
    this.#read = read;
  }

  /** What `then`, `catch` and `finally` return is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  async withResponse(): Promise<WithResponse<T>> {
    const [data, { text, status, requestId }] = await Promise.all([this.#once(), this.#received]);
    return { data, text, status, requestId };
  }

  override then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#once().then(onData, onError);
  }

  #once(): Promise<T> {
    this.#data ??= this.#received.then(this.#read);
    return this.#data;
  }
}
