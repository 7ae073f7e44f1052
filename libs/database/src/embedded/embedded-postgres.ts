import type { PostgresConnection } from './connection.js';
import { postgresUrl } from './connection.js';
import type { DirectoryClaim } from './directory-claim.js';
import { ensureDatabase } from './ensure-database.js';
import { EmbeddedPostgresError } from './errors.js';
import { endFormerServer } from './former-server.js';
import { launchServer, type Launch, type ServerExit, type ServerProcess } from './server-process.js';
import { discardSocketDirectory } from './socket-directory.js';

const FORMER = {
  stopped: 'Stopped the Postgres that an earlier start had left running',
  crashed: 'Postgres was not shut down properly; it recovers now',
};

/**
 * A cluster that this process owns, and its server. The connection stays valid over `crash` and `start`; the
 * cluster stays ours until `stop`.
 */
export class EmbeddedPostgres {
  private server: ServerProcess | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    /** The directory that was asked for; passwords, credentials and claims are in it. */
    readonly dataDir: string,
    /** The superuser's connection to the database `agentflow`. */
    readonly connection: PostgresConnection,
    private readonly launch: Launch,
    private readonly claims: readonly DirectoryClaim[],
    private readonly log: (line: string) => void,
  ) {}

  get adminUrl(): string {
    return postgresUrl(this.connection);
  }

  /** Where the cluster is kept: `data`, `log` and `run`. */
  get home(): string {
    return this.launch.home;
  }

  /** The end of the present server, whoever ended it; after `start` it is the new server's. */
  get exited(): Promise<ServerExit> {
    if (!this.server) throw new EmbeddedPostgresError('Postgres was never started.');
    return this.server.exited;
  }

  /** Starts the server where it is not running, and resolves when it takes connections. */
  async start(): Promise<void> {
    if (this.stopping) throw new EmbeddedPostgresError('This Postgres was stopped and given back.');
    if (this.server && !this.server.ended) return;
    const former = await endFormerServer({ ...this.launch, port: this.connection.port });
    if (former !== 'none') this.log(FORMER[former]);
    this.server = await launchServer(this.launch);
    await ensureDatabase(this.connection);
  }

  /** Ends the server at once, without a checkpoint; every commit that was acknowledged is there after `start`. */
  async crash(): Promise<void> {
    await this.server?.end('immediate', 0);
  }

  /**
   * Ends the server with a checkpoint and gives the data directory back. Connections that are still open are
   * broken. After `deadlineMs` the server is ended at once instead; nothing committed is lost by that.
   */
  stop({ deadlineMs = 10_000 }: { deadlineMs?: number } = {}): Promise<void> {
    this.stopping ??= (async () => {
      try {
        await this.server?.end('fast', deadlineMs);
        discardSocketDirectory(this.connection.host);
      } finally {
        for (const claim of this.claims) claim.release();
      }
    })();
    return this.stopping;
  }
}
