import type { IngestItem, ReportedAgent, RunStarted } from '@agentflow/contracts';
import type { Transaction } from '@agentflow/database';
import { DomainError, RawJson, encodeJson, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AgentRegistry } from '../agents/agent-registry.js';
import type { AgentRow } from '../agents/agent-row.js';
import type { Performer } from '../audit-log/act.js';
import { findAgent, findAgentByName } from '../agents/sql/find-agent.js';
import { findRunByExternalId, seesRun, wasDeleted } from '../runs/sql/find-run.js';
import type { Announcements } from './announcements.js';
import { UNANNOUNCED } from './child-work.js';
import { findHome } from './sql/find-home.js';
import { holdRuns, type HeldRun } from './sql/hold-runs.js';
import { undone } from './sql/savepoint.js';
import { insertReportedRuns, type RunOverwrite } from './sql/write-runs.js';

/** What a batch says about one run that is not known, or not announced yet. */
export interface Mention {
  runId: string;
  announcement: RunStarted<RawJson> | undefined;
  hint: ReportedAgent<RawJson> | undefined;
}

/** Why some of what a batch names cannot be written; found out by trying. */
export interface Refusals {
  /** Why a run cannot be written at all. */
  runs: ReadonlyMap<string, DomainError>;
  /** Why an announcement is put aside; its run is heard of all the same. */
  announcements: ReadonlyMap<string, DomainError>;
}

/** What becomes of the runs that were missing. */
export interface Registration {
  /** Those that have to be written, as they begin, and whether by their announcement. */
  made: Map<string, { run: HeldRun; isAnnounced: boolean }>;
  refused: Map<string, DomainError>;
  refusedAnnouncements: Map<string, DomainError>;
  /** What stands of what the batch announces. */
  announcements: Announcements;
  named: NamedAgents;
}

/** What each name of an agent was last said with in this transaction, and which agent that was. */
type NamedAgents = Map<string, { saying: string; agent: AgentRow }>;

/** How reports of this batch are to be understood. */
export interface Manner {
  /** It comes from the mapping of what another reporter sent: what it says later replaces what it said before. */
  amends: boolean;
  /** Who reports, and so makes the agents that he is the first to name. */
  by: Performer;
  /** What the reporter calls the project. */
  projectName?: string | undefined;
}

/** Finds the agents of runs, and writes runs that are named for the first time. */
@Injectable()
export class RunRegistration {
  constructor(private readonly agents: AgentRegistry) {}

  /**
   * The agent that an announcement names; throws why there is none. An agent's own key names no other, so what other reporters
   * call the agent says nothing then.
   */
  async agentOf(
    tx: Transaction,
    item: RunStarted<RawJson>,
    manner: Manner,
    { named }: Pick<Registration, 'named'>,
  ): Promise<AgentRow> {
    const { agent, agent_id, project_id } = item;
    if (agent !== undefined && agent_id !== undefined) throw invalid('/agent_id', 'goes without agent');
    const isOwn = manner.amends && tx.scope.agentId !== null;
    if (agent !== undefined && !isOwn) return this.named(tx, agent, project_id, manner, named);
    const id = agent_id ?? tx.scope.agentId;
    if (id === null || id === undefined) throw invalid('/agent', 'is needed to announce a run');
    const found = await findAgent(tx, id);
    if (!found || (project_id !== undefined && project_id !== found.project_id)) throw notFound();
    return found;
  }

  /** How the runs begin that are missing: announced, or as only heard of. Nothing is written yet. */
  async register(
    tx: Transaction,
    mentions: readonly Mention[],
    manner: Manner,
    known: Refusals,
    announcements: Announcements,
  ): Promise<Registration> {
    const outcome: Registration = {
      announcements,
      named: new Map(),
      made: new Map(),
      refused: new Map(known.runs),
      refusedAnnouncements: new Map(known.announcements),
    };
    for (const mention of mentions) {
      if (!outcome.refused.has(mention.runId)) await this.begin(tx, mention, manner, outcome);
    }
    return outcome;
  }

  private async begin(
    tx: Transaction,
    { runId, announcement, hint }: Mention,
    manner: Manner,
    outcome: Registration,
  ): Promise<void> {
    // A parent that is elsewhere, or was deleted, is none.
    if (outcome.refused.has(announcement?.parent_run_id ?? '')) {
      outcome.refusedAnnouncements.set(runId, notFound());
    }
    if (announcement && !outcome.refusedAnnouncements.has(runId)) {
      try {
        outcome.announcements.check(announcement);
        const agent = await this.agentOf(tx, announcement, manner, outcome);
        outcome.announcements.add(announcement);
        outcome.made.set(runId, { run: runOf(runId, agent, manner, announcement), isAnnounced: true });
        return;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        outcome.refusedAnnouncements.set(runId, error);
      }
    }
    const agent = await this.guess(tx, hint, manner, outcome);
    if (agent) outcome.made.set(runId, { run: runOf(runId, agent, manner), isAnnounced: false });
    else outcome.refused.set(runId, invalid('/project_id', 'the organization has no project'));
  }

  /**
   * Why runs were not written that nobody else has written meanwhile. A run that can be written without its external id
   * was in the way of another by that alone; its transaction has to be given up.
   */
  async whyNot(tx: Transaction, runs: readonly HeldRun[], known: Refusals): Promise<Refusals> {
    const refusals = { runs: new Map(known.runs), announcements: new Map(known.announcements) };
    const named = runs.filter(({ external_id }) => external_id !== null);
    const bare = named.map((run) => ({ ...run, external_id: null, parent_run_id: null }));
    const written = await insertReportedRuns(tx, bare.map(unadded));
    for (const { id, external_id } of runs) {
      if (await wasDeleted(tx, id)) refusals.runs.set(id, new DomainError('run.deleted'));
      else if (written.has(id)) refusals.announcements.set(id, await whyTaken(tx, external_id as string));
      else refusals.runs.set(id, notFound());
    }
    return refusals;
  }

  /**
   * The announcements of stored runs that name an external id of another run, seen or not: the index knows, and is asked
   * by runs that are written with these ids and undone.
   */
  async whoseIdIsTaken(tx: Transaction, mentions: readonly Mention[], known: Refusals): Promise<Refusals> {
    const announcements = new Map(known.announcements);
    const named = new Map(
      mentions.flatMap(({ runId, announcement }) =>
        announcement?.external_id === undefined || announcements.has(runId)
          ? []
          : [[runId, announcement.external_id] as const],
      ),
    );
    const held = await holdRuns(tx, [...named.keys()], new Set());
    const takers = held.filter(({ id, external_id }) => external_id !== named.get(id));
    const probes = new Map(
      takers.map((run) => {
        const external_id = named.get(run.id) as string;
        return [external_id, { ...run, id: randomUUID(), external_id, parent_run_id: null }] as const;
      }),
    );
    const free = await undone(tx, () => insertReportedRuns(tx, [...probes.values()].map(unadded)));
    for (const { id } of takers) {
      const externalId = named.get(id) as string;
      if (!free.has(probes.get(externalId)?.id ?? '')) announcements.set(id, await whyTaken(tx, externalId));
    }
    return { ...known, announcements };
  }

  /** The parents that announcements name, and that were deleted. */
  async whoseParentIsGone(tx: Transaction, mentions: readonly Mention[], known: Refusals): Promise<Refusals> {
    const runs = new Map(known.runs);
    const announcements = new Map(known.announcements);
    const parents = new Map(
      mentions.flatMap(({ runId, announcement }) =>
        announcement?.parent_run_id === undefined ? [] : [[runId, announcement.parent_run_id] as const],
      ),
    );
    for (const id of parents.values()) {
      if (await wasDeleted(tx, id)) runs.set(id, new DomainError('run.deleted'));
    }
    if (runs.size > known.runs.size) return { runs, announcements };
    for (const [runId, id] of parents) if (!(await seesRun(tx, id))) announcements.set(runId, notFound());
    return { runs, announcements };
  }

  /** The agent of a run that is only heard of. */
  private async guess(
    tx: Transaction,
    hint: ReportedAgent<RawJson> | undefined,
    manner: Manner,
    { named }: Registration,
  ): Promise<AgentRow | undefined> {
    if (tx.scope.agentId !== null) return findAgent(tx, tx.scope.agentId);
    const home = await findHome(tx, manner.projectName);
    if (!home) return undefined;
    const unnamed = { name: `${UNANNOUNCED} ${home.id.slice(-12)}`, adapter: 'custom' };
    const heard = { ...manner, amends: true };
    try {
      return await this.named(tx, hint ?? unnamed, home.id, heard, named);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.named(tx, unnamed, home.id, heard, named);
    }
  }

  /** The agent that a name means; the many runs of one agent in a batch ask for it once. */
  private async named(
    tx: Transaction,
    reference: ReportedAgent<RawJson>,
    projectId: string | undefined,
    manner: Manner,
    named: NamedAgents,
  ): Promise<AgentRow> {
    const saying = encodeJson({ reference, projectId, amends: manner.amends });
    const last = named.get(reference.name);
    if (last?.saying === saying) return last.agent;
    const agent = await this.findOrRegister(tx, reference, projectId, manner);
    named.set(reference.name, { saying, agent });
    return agent;
  }

  private async findOrRegister(
    tx: Transaction,
    reference: ReportedAgent<RawJson>,
    projectId: string | undefined,
    manner: Manner,
  ): Promise<AgentRow> {
    const known = await findAgentByName(tx, reference.name);
    const home = projectId ?? (known ? undefined : (await findHome(tx, manner.projectName))?.id);
    if (!manner.amends) return this.agents.register(tx, manner.by, reference, home);
    // What others report says nothing of how the agent is configured: it makes no versions.
    if (known && (home === undefined || home === known.project_id)) return known;
    try {
      return await this.agents.register(tx, manner.by, reference, home);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'name_taken') throw error;
      const project = await findHome(tx, manner.projectName);
      const name = `${reference.name.slice(0, 90)} (${(project?.id ?? '').slice(-12)})`;
      return (
        (await findAgentByName(tx, name)) ?? this.agents.register(tx, manner.by, { ...reference, name }, home)
      );
    }
  }
}

/** Of an external id that stands for another run, which the scope may not even see. */
async function whyTaken(tx: Transaction, externalId: string): Promise<DomainError> {
  const holder = await findRunByExternalId(tx, externalId);
  return holder === undefined ? notFound() : new DomainError('external_id_conflict');
}

function unadded(run: HeldRun): RunOverwrite {
  return { run, additions: [] };
}

const NO_METADATA = RawJson.trusted('{}');
const NO_TAGS = RawJson.trusted('[]');

/** How a run begins. */
function runOf(id: string, agent: AgentRow, { amends }: Manner, said?: RunStarted<RawJson>): HeldRun {
  return {
    id,
    project_id: agent.project_id,
    agent_id: agent.id,
    agent_version: agent.version,
    adapter: said?.adapter ?? agent.adapter,
    status: 'running',
    name: said?.name ?? null,
    input: said?.input ?? null,
    output: null,
    error: null,
    error_type: null,
    metadata: said?.metadata ?? NO_METADATA,
    tags: said?.tags === undefined ? NO_TAGS : RawJson.trusted(JSON.stringify(said.tags)),
    session_id: said?.session_id ?? null,
    external_id: said?.external_id ?? null,
    parent_run_id: said?.parent_run_id ?? null,
    origin: said?.parent_run_id === undefined ? null : 'subagent',
    started_at: said?.at ?? null,
    ended_at: null,
    last_move: 'start',
    waiting_for: null,
    resume_input: null,
    announced: said !== undefined,
    moved_at: null,
    from_trace: amends,
    ended_by_trace: false,
    next_step_index: 0,
    next_message_index: 0,
    next_checkpoint_index: 0,
    last_event_seq: 0,
    last_event_xid: 0,
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
