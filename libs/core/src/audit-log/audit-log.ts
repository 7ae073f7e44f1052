import { Database, type Actor, type Slice } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import type { AuditEntryRow } from './act.js';
import { listActs, type AuditFilters } from './sql/list-acts.js';

/** Reads of the audit log. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  async list(actor: Actor, filters: AuditFilters, slice: Slice): Promise<AuditEntryRow[]> {
    const [rows] = await this.database.read(actor, (tx) => [listActs(tx, filters, slice)]);
    return rows;
  }
}
