import type { Scope } from './scope.js';
import type { Transaction } from './transaction.js';

/** Who acts: the scope of the credential and the key that proved it. First argument of every service. */
export interface Actor {
  readonly scope: Scope;
  /** The API key; `null` for the operator and for the product itself. */
  readonly keyId: string | null;
  /** The request that asks for the act; absent when the product acts by itself. */
  readonly requestId?: string;
  /** The transaction that the act has to be part of; absent: it gets one of its own. */
  readonly within?: Transaction;
}
