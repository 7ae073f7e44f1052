import {
  Database,
  scopeColumns,
  sql,
  type Parameter,
  type Statement,
  type Transaction,
} from '@agentflow/database';
import { parseId } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { Caller } from './caller.js';

type PathParameters = Readonly<Record<string, string>>;

interface Sight {
  statement: Statement<{ seen: boolean }>;
  /** What the statement binds after the scope's three columns. */
  values(params: PathParameters): Parameter[];
}

const seen = (name: string, from: string): Statement<{ seen: boolean }> =>
  sql(`sees-${name}`, `SELECT true AS seen FROM ${from} LIMIT 1`);

const RUN = `(SELECT FROM runs r WHERE r.tenant_id = $1 AND r.id = $4
  AND ($2::uuid IS NULL OR r.project_id = $2) AND ($3::uuid IS NULL OR r.agent_id = $3))`;
const AGENT = `(SELECT FROM agents a WHERE a.tenant_id = $1 AND a.id = $4 AND a.deleting_since IS NULL
  AND ($2::uuid IS NULL OR a.project_id = $2) AND ($3::uuid IS NULL OR a.id = $3))`;
const seesRun = seen('run', `(VALUES (1)) one WHERE EXISTS ${RUN}`);
const NUMBER = /^(0|[1-9]\d{0,8})$/;
const id = (text: string | undefined): string | null => parseId(text ?? '') ?? null;
const number = (text: string | undefined): number | null => (NUMBER.test(text ?? '') ? Number(text) : null);

/** What each path parameter names, and how to tell whether the caller sees it. */
const SIGHTS: Readonly<Record<string, Sight>> = {
  project_id: {
    statement: seen(
      'project',
      `projects WHERE tenant_id = $1 AND id = $4 AND $3::uuid IS NULL AND ($2::uuid IS NULL OR id = $2)`,
    ),
    values: (params) => [id(params['project_id'])],
  },
  agent_id: {
    statement: seen('agent', `(VALUES (1)) one WHERE EXISTS ${AGENT}`),
    values: (p) => [id(p['agent_id'])],
  },
  run_id: {
    statement: seesRun,
    values: (p) => [id(p['run_id'])],
  },
  other_run_id: {
    statement: seesRun,
    values: (p) => [id(p['other_run_id'])],
  },
  key_id: {
    statement: seen(
      'key',
      `api_keys WHERE tenant_id = $1 AND id = $4
         AND ($2::uuid IS NULL OR project_id = $2) AND ($3::uuid IS NULL OR agent_id = $3)`,
    ),
    values: (params) => [id(params['key_id'])],
  },
  version: {
    statement: seen(
      'version',
      `agent_versions WHERE tenant_id = $1 AND agent_id = $4 AND version = $5 AND EXISTS ${AGENT}`,
    ),
    values: (params) => [id(params['agent_id']), number(params['version'])],
  },
  price_id: {
    statement: seen(
      'price',
      `model_prices, (VALUES ($2::uuid, $3::uuid)) every_scope WHERE tenant_id = $1 AND id = $4`,
    ),
    values: (params) => [id(params['price_id'])],
  },
  step_id: {
    statement: seen('step', `steps WHERE tenant_id = $1 AND run_id = $4 AND id = $5 AND EXISTS ${RUN}`),
    values: (params) => [id(params['run_id']), id(params['step_id'])],
  },
  approval_id: {
    statement: seen(
      'approval',
      `approvals WHERE tenant_id = $1 AND id = $4 AND ($2::uuid IS NULL OR project_id = $2)
         AND ($3::uuid IS NULL OR agent_id = $3) AND ($5::uuid IS NULL OR run_id = $5)`,
    ),
    values: (params) => [id(params['approval_id']), id(params['run_id'])],
  },
  bulk_action_id: {
    statement: seen(
      'bulk-action',
      `bulk_actions WHERE tenant_id = $1 AND id = $4 AND ($2::uuid IS NULL OR project_id = $2)
         AND ($3::uuid IS NULL OR agent_id = $3)`,
    ),
    values: (params) => [id(params['bulk_action_id'])],
  },
  index: {
    statement: seen(
      'checkpoint',
      `checkpoints WHERE tenant_id = $1 AND run_id = $4 AND index = $5 AND EXISTS ${RUN}`,
    ),
    values: (params) => [id(params['run_id']), number(params['index'])],
  },
};

const toolCallOfRun: Sight = {
  statement: seen(
    'tool-call-of-run',
    `tool_calls WHERE tenant_id = $1 AND run_id = $4 AND id = $5 AND EXISTS ${RUN}`,
  ),
  values: (params) => [id(params['run_id']), id(params['call_id'])],
};
const toolCallOfAgent: Sight = {
  statement: seen(
    'tool-call-of-agent',
    `tool_calls WHERE tenant_id = $1 AND agent_id = $4 AND run_id IS NULL AND id = $5 AND EXISTS ${AGENT}`,
  ),
  values: (params) => [id(params['agent_id']), id(params['call_id'])],
};

/** An id of another reporter names nothing that somebody could be kept from seeing. */
const isForeign = (parameter: string): boolean => parameter.startsWith('their_');

/** Whether a rule says who sees what a path parameter of this name stands for. */
export function hasSight(parameter: string): boolean {
  return parameter === 'call_id' || isForeign(parameter) || Object.hasOwn(SIGHTS, parameter);
}

/**
 * Whether the caller sees what a path names. Asked only when a permission is missing: what is out of sight is the
 * same 404 as what is not there, and only what is seen may be forbidden.
 */
@Injectable()
export class Visibility {
  constructor(private readonly database: Database) {}

  async sees(caller: Caller, params: PathParameters): Promise<boolean> {
    return this.database.transaction(caller, (tx) => this.seesAll(tx, caller, params));
  }

  private async seesAll(tx: Transaction, caller: Caller, params: PathParameters): Promise<boolean> {
    for (const name of Object.keys(params)) {
      if (isForeign(name)) continue;
      const sight = name === 'call_id' ? (params['run_id'] ? toolCallOfRun : toolCallOfAgent) : SIGHTS[name];
      if (!sight) throw new Error(`no rule says who sees the path parameter ${name}`);
      const row = await tx.row(sight.statement, [...scopeColumns(caller.scope), ...sight.values(params)]);
      if (!row) return false;
    }
    return true;
  }
}
