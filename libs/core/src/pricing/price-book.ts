import { Database, type Actor } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import { overridesFrom, type PriceOverrides } from './price-overrides.js';
import { findModelPrices } from './sql/find-model-prices.js';

/** For how long another process may still reckon with a price that was changed here. */
const KEPT_MS = 5_000;
const MAX_TENANTS = 1_000;

interface Kept {
  readonly overrides: PriceOverrides;
  readonly until: number;
}

/** The organizations' own prices, kept in memory for some seconds. */
@Injectable()
export class PriceBook {
  private readonly kept = new Map<string, Kept>();
  /** Counts what was forgotten, so that nothing older than that is kept. */
  private forgotten = 0;

  constructor(private readonly database: Database) {}

  /**
   * The own prices of the actor's organization, for `priceStep`. Ask once for a batch, before its transaction: mostly
   * it is answered from memory, and else by one statement, within the actor's transaction when there is one.
   */
  async overridesOf(actor: Pick<Actor, 'scope' | 'within'>): Promise<PriceOverrides> {
    const { tenantId } = actor.scope;
    const kept = this.kept.get(tenantId);
    if (kept && kept.until > performance.now()) return kept.overrides;
    const before = this.forgotten;
    const [rows] = await this.database.read(actor, (tx) => [findModelPrices(tx)]);
    const overrides = overridesFrom(rows);
    if (before === this.forgotten) this.keep(tenantId, overrides);
    return overrides;
  }

  /** Prices of the tenant were changed: the next question goes to the database. */
  forget(tenantId: string): void {
    this.kept.delete(tenantId);
    this.forgotten++;
  }

  private keep(tenantId: string, overrides: PriceOverrides): void {
    if (this.kept.size >= MAX_TENANTS && !this.kept.has(tenantId)) this.kept.clear();
    this.kept.set(tenantId, { overrides, until: performance.now() + KEPT_MS });
  }
}
