import { sql, type Slice, type Transaction } from '@agentflow/database';
import type { ModelPriceRow } from '@agentflow/core';
import { Injectable } from '@nestjs/common';

/** A price to be written; what is `null` is not said. */
export type ModelPriceDraft = Omit<ModelPriceRow, 'created_at'>;

const COLUMNS = 'id, provider, model, input, output, cache_read, cache_write, valid_from, created_at';

const insertPrice = sql<ModelPriceRow>(
  'insert-model-price',
  `INSERT INTO model_prices (tenant_id, id, provider, model, input, output, cache_read, cache_write, valid_from)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
);
const findPrice = sql<ModelPriceRow>(
  'find-model-price',
  `SELECT ${COLUMNS} FROM model_prices WHERE tenant_id = $1 AND id = $2`,
);
const countPrices = sql<{ count: number }>(
  'count-model-prices',
  `SELECT count(*) AS count FROM model_prices WHERE tenant_id = $1`,
);
const firstPrices = sql<ModelPriceRow>(
  'list-model-prices',
  `SELECT ${COLUMNS} FROM model_prices WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const furtherPrices = sql<ModelPriceRow>(
  'list-further-model-prices',
  `SELECT ${COLUMNS} FROM model_prices WHERE tenant_id = $1 AND (created_at, id) < ($3::timestamptz, $4::uuid)
   ORDER BY created_at DESC, id DESC LIMIT $2`,
);
const deletePrice = sql<ModelPriceRow>(
  'delete-model-price',
  `DELETE FROM model_prices WHERE tenant_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
);

/** The prices of an organization: every key of it reads them, whatever its scope. */
@Injectable()
export class ModelPricesRepository {
  async insert(tx: Transaction, price: ModelPriceDraft): Promise<ModelPriceRow> {
    const { id, provider, model, input, output, cache_read, cache_write, valid_from } = price;
    const amounts = [input, output, cache_read, cache_write];
    return (await tx.row(insertPrice, [
      ...[tx.scope.tenantId, id, provider, model],
      ...amounts,
      valid_from,
    ])) as ModelPriceRow;
  }

  async find(tx: Transaction, id: string): Promise<ModelPriceRow | undefined> {
    return tx.row(findPrice, [tx.scope.tenantId, id]);
  }

  async count(tx: Transaction): Promise<number> {
    return (await tx.row(countPrices, [tx.scope.tenantId]))?.count ?? 0;
  }

  async list(tx: Transaction, { limit, after }: Slice): Promise<ModelPriceRow[]> {
    return after
      ? tx.rows(furtherPrices, [tx.scope.tenantId, limit, after[0] as string, after[1] as string])
      : tx.rows(firstPrices, [tx.scope.tenantId, limit]);
  }

  /** The price that is gone; undefined when there was none. */
  async remove(tx: Transaction, id: string): Promise<ModelPriceRow | undefined> {
    return tx.row(deletePrice, [tx.scope.tenantId, id]);
  }
}
