import { PriceBook, recordAct, type Act, type ModelPriceRow, type Stored } from '@agentflow/core';
import { Database, violatedConstraint, type Actor, type Slice } from '@agentflow/database';
import { DomainError, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import { ModelPricesRepository, type ModelPriceDraft } from './model-prices.repository.js';

/** All of them are in memory while steps are reported. */
const MAX_PRICES = 1_000;

type NewModelPrice = Pick<ModelPriceDraft, 'model' | 'input' | 'output'> &
  Partial<Pick<ModelPriceDraft, 'provider' | 'cache_read' | 'cache_write' | 'valid_from'>>;

/** A price is never changed: steps were reckoned with it. A new one begins, or a wrong one is deleted. */
@Injectable()
export class ModelPricesService {
  constructor(
    private readonly database: Database,
    private readonly prices: ModelPricesRepository,
    private readonly book: PriceBook,
  ) {}

  async create(actor: Actor, draft: NewModelPrice): Promise<Stored<ModelPriceRow>> {
    const row = await this.changed(actor, () =>
      this.database.transaction(actor, async (tx) => {
        if ((await this.prices.count(tx)) >= MAX_PRICES) throw tooMany();
        const price = await this.prices.insert(tx, {
          ...draft,
          id: newId(),
          provider: draft.provider ?? null,
          cache_read: draft.cache_read ?? null,
          cache_write: draft.cache_write ?? null,
          valid_from: draft.valid_from ?? null,
        });
        await recordAct(tx, actor, { action: 'model_price.created', entityId: price.id, after: told(price) });
        return price;
      }),
    );
    return { row, isNew: true };
  }

  async get(actor: Actor, id: string): Promise<ModelPriceRow> {
    const row = await this.database.transaction(actor, (tx) => this.prices.find(tx, id));
    if (!row) throw notFound();
    return row;
  }

  async list(actor: Actor, slice: Slice): Promise<ModelPriceRow[]> {
    return this.database.transaction(actor, (tx) => this.prices.list(tx, slice));
  }

  async remove(actor: Actor, id: string): Promise<void> {
    await this.changed(actor, () =>
      this.database.transaction(actor, async (tx) => {
        const price = await this.prices.remove(tx, id);
        if (!price) throw notFound();
        await recordAct(tx, actor, { action: 'model_price.deleted', entityId: id, before: told(price) });
      }),
    );
  }

  private async changed<T>(actor: Actor, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (violatedConstraint(error) === 'uq_model_prices_model') {
        throw new DomainError('name_taken', {
          detail: 'There is a price for this model, provider and valid_from already.',
        });
      }
      throw error;
    } finally {
      this.book.forget(actor.scope.tenantId);
    }
  }
}

function told({ id: _id, created_at: _created, ...price }: ModelPriceRow): Act['after'] {
  return { ...price };
}

function tooMany(): DomainError {
  return new DomainError('invalid_request', {
    faults: [{ pointer: '', detail: `an organization keeps at most ${MAX_PRICES} prices` }],
  });
}
