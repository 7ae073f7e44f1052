import type { IngestItem, ReportedAgent, RunStarted } from '@agentflow/contracts';
import type { Actor, Transaction } from '@agentflow/database';
import { DomainError, notFound, type RawJson } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { AgentRegistry } from '../agents/agent-registry.js';
import type { AgentRow } from '../agents/agent-row.js';
import { findAgent, findAgentByName } from '../agents/sql/find-agent.js';
import { runDraft } from '../runs/new-run.js';
import type { RunRow } from '../runs/run-row.js';
import { findRunByExternalId, seesRun, wasDeleted } from '../runs/sql/find-run.js';
import { insertNewRuns, type RunDraft } from '../runs/sql/insert-run.js';
import { findHome } from './sql/find-home.js';
import type { HeldRun } from './sql/hold-runs.js';
import { UNANNOUNCED } from './step-work.js';

/** What a batch says about one run that is not known, or not announced yet. */
export interface Mention {
  runId: string;
  announcement: RunStarted<RawJson> | undefined;
  hint: ReportedAgent<RawJson> | undefined;
}

/** What came of registering the runs that were missing. */
export interface Registration {
  /** Those that are written now, and whether by their announcement. */
  made: Map<string, { run: HeldRun; isAnnounced: boolean }>;
  /** Why a run cannot be written at all. */
  refused: Map<string, DomainError>;
  /** Why an announcement was put aside; its run is heard of all the same. */
  refusedAnnouncements: Map<string, DomainError>;
}

/** How reports of this batch are to be understood. */
export interface Manner {
  /** It comes from the mapping of what another reporter sent: what it says later replaces what it said before. */
  amends: boolean;
  /** What the reporter calls the project. */
  projectName?: string | undefined;
}

/** Finds the agents of runs, and writes runs that are named for the first time. */
@Injectable()
export class RunRegistration {
  constructor(private readonly agents: AgentRegistry) {}

  /** The agent that an announcement names; throws why there is none. */
  async agentOf(tx: Transaction, item: RunStarted<RawJson>, manner: Manner): Promise<AgentRow> {
    const { agent, agent_id, project_id } = item;
    if (agent !== undefined && agent_id !== undefined) throw invalid('/agent_id', 'goes without agent');
    if (agent !== undefined) return this.named(tx, agent, project_id, manner);
    const id = agent_id ?? tx.scope.agentId;
    if (id === null || id === undefined) throw invalid('/agent', 'is needed to announce a run');
    const found = await findAgent(tx, id);
    if (!found || (project_id !== undefined && project_id !== found.project_id)) throw notFound();
    return found;
  }

  /**
   * Writes the runs that are missing, announced or as only heard of. A run that comes into being elsewhere in the same
   * moment is not among the made ones, nor among the refused: it has to be looked for again.
   */
  async register(
    tx: Transaction,
    actor: Actor,
    mentions: readonly Mention[],
    manner: Manner,
  ): Promise<Registration> {
    const outcome: Registration = { made: new Map(), refused: new Map(), refusedAnnouncements: new Map() };
    const missing = new Set(mentions.map(({ runId }) => runId));
    const drafts: RunDraft[] = [];
    for (const mention of mentions) {
      const draft = await this.draftOf(tx, actor, mention, missing, manner, outcome);
      if (draft) drafts.push(draft);
    }
    drafts.sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.write(tx, drafts, outcome);
    return outcome;
  }

  private async draftOf(
    tx: Transaction,
    actor: Actor,
    { runId, announcement, hint }: Mention,
    missing: ReadonlySet<string>,
    manner: Manner,
    outcome: Registration,
  ): Promise<RunDraft | undefined> {
    // A parent that comes into being with it is not there yet when the statement looks for it.
    if (announcement && !missing.has(announcement.parent_run_id ?? '')) {
      try {
        const agent = await this.agentOf(tx, announcement, manner);
        return {
          ...runDraft(
            { ...announcement, id: runId, started_at: announcement.at, start: true },
            agent,
            actor.keyId,
          ),
          announced: true,
        };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcome.refusedAnnouncements.set(runId, error);
      }
    }
    const agent = await this.guess(tx, hint, manner);
    if (agent) return { ...runDraft({ id: runId, start: true }, agent, actor.keyId), announced: false };
    outcome.refused.set(runId, invalid('/project_id', 'the organization has no project'));
    return undefined;
  }

  private async write(tx: Transaction, drafts: readonly RunDraft[], outcome: Registration): Promise<void> {
    if (drafts.length === 0) return;
    const rows = new Map((await insertNewRuns(tx, drafts)).map((row) => [row.id, row]));
    const again: RunDraft[] = [];
    for (const draft of drafts) {
      const row = rows.get(draft.id);
      if (row)
        outcome.made.set(draft.id, { run: heldFrom(row, draft), isAnnounced: draft.announced === true });
      else if (await wasDeleted(tx, draft.id)) outcome.refused.set(draft.id, new DomainError('run.deleted'));
      else if (draft.announced) {
        const reason = await whyNotAnnounced(tx, draft);
        if (!reason) continue;
        outcome.refusedAnnouncements.set(draft.id, reason);
        again.push({ ...draft, announced: false, parent_run_id: null, external_id: null });
      } else outcome.refused.set(draft.id, notFound());
    }
    if (again.length > 0) await this.write(tx, again, outcome);
  }

  /** The agent of a run that is only heard of. */
  private async guess(
    tx: Transaction,
    hint: ReportedAgent<RawJson> | undefined,
    manner: Manner,
  ): Promise<AgentRow | undefined> {
    if (tx.scope.agentId !== null) return findAgent(tx, tx.scope.agentId);
    const home = await findHome(tx, manner.projectName);
    if (!home) return undefined;
    const unnamed = { name: `${UNANNOUNCED} ${home.id.slice(-12)}`, adapter: 'custom' };
    try {
      return await this.named(tx, hint ?? unnamed, home.id, { ...manner, amends: true });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.named(tx, unnamed, home.id, { ...manner, amends: true });
    }
  }

  private async named(
    tx: Transaction,
    reference: ReportedAgent<RawJson>,
    projectId: string | undefined,
    manner: Manner,
  ): Promise<AgentRow> {
    const known = await findAgentByName(tx, reference.name);
    const home = projectId ?? (known ? undefined : (await findHome(tx, manner.projectName))?.id);
    if (!manner.amends) return this.agents.register(tx, reference, home);
    // What others report says nothing of how the agent is configured: it makes no versions.
    if (known && (home === undefined || home === known.project_id)) return known;
    try {
      return await this.agents.register(tx, reference, home);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'name_taken') throw error;
      const project = await findHome(tx, manner.projectName);
      const name = `${reference.name.slice(0, 90)} (${(project?.id ?? '').slice(-12)})`;
      return (await findAgentByName(tx, name)) ?? this.agents.register(tx, { ...reference, name }, home);
    }
  }
}

/** Why an announcement wrote nothing; nothing known means that the run came into being elsewhere. */
async function whyNotAnnounced(tx: Transaction, draft: RunDraft): Promise<DomainError | undefined> {
  if (await seesRun(tx, draft.id)) return undefined;
  if (draft.external_id !== null) {
    const holder = await findRunByExternalId(tx, draft.external_id);
    if (holder) return new DomainError('external_id_conflict');
  }
  return draft.parent_run_id !== null || draft.external_id !== null ? notFound() : undefined;
}

function heldFrom(row: RunRow, draft: RunDraft): HeldRun {
  return {
    ...row,
    announced: draft.announced === true,
    moved_at: null,
    next_checkpoint_index: 0,
    last_event_seq: 2,
  };
}

function invalid(pointer: string, detail: string): DomainError {
  return new DomainError('invalid_request', { faults: [{ pointer, detail }] });
}

/** The runs that a batch names, in the order in which it first does. */
export function mentionsIn(
  items: Iterable<IngestItem<RawJson>>,
  runIds: readonly string[] = [],
): Map<string, Mention> {
  const mentions = new Map<string, Mention>();
  const mention = (runId: string): Mention => {
    const known = mentions.get(runId) ?? { runId, announcement: undefined, hint: undefined };
    mentions.set(runId, known);
    return known;
  };
  for (const id of runIds) mention(id);
  for (const item of items) {
    const about = mention(item.run_id);
    if (item.type !== 'run.started') {
      about.hint ??= item.agent;
      continue;
    }
    about.announcement ??= item;
    if (item.parent_run_id !== undefined) mention(item.parent_run_id).hint ??= item.agent;
  }
  return mentions;
}
