import type { MigrationInterface, QueryRunner } from 'typeorm';

const IS_ORGANIZATION = `current_setting('agentflow.scope', true) = 'organization'`;

/** What an organization pays for models, where that is not the list price. */
export class CreateModelPrices1795910580000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE model_prices (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        provider text,
        model text NOT NULL,
        input numeric(20,10) NOT NULL,
        output numeric(20,10) NOT NULL,
        cache_read numeric(20,10),
        cache_write numeric(20,10),
        valid_from timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_model_prices_organization FOREIGN KEY (tenant_id)
          REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT ck_model_prices_provider CHECK (char_length(provider) BETWEEN 1 AND 256),
        CONSTRAINT ck_model_prices_model CHECK (char_length(model) BETWEEN 1 AND 256),
        CONSTRAINT ck_model_prices_amounts
          CHECK (input >= 0 AND output >= 0 AND cache_read >= 0 AND cache_write >= 0)
      );
      -- One price for a model at a time: that it has no provider, or no beginning, is a value like others.
      CREATE UNIQUE INDEX uq_model_prices_model ON model_prices (tenant_id, model, provider, valid_from)
        NULLS NOT DISTINCT;
      CREATE INDEX ix_model_prices_tenant_id ON model_prices (tenant_id, created_at DESC, id DESC);
      ALTER TABLE model_prices ADD CONSTRAINT pk_model_prices PRIMARY KEY (tenant_id, id);

      ALTER TABLE model_prices ENABLE ROW LEVEL SECURITY;
      ALTER TABLE model_prices FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON model_prices TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      -- Narrower scopes report by the prices of their organization, and change nothing of them.
      CREATE POLICY adding ON model_prices AS RESTRICTIVE FOR INSERT TO agentflow_app WITH CHECK (${IS_ORGANIZATION});
      CREATE POLICY removing ON model_prices AS RESTRICTIVE FOR DELETE TO agentflow_app USING (${IS_ORGANIZATION});

      GRANT SELECT, INSERT, DELETE ON model_prices TO agentflow_app;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE model_prices');
  }
}
