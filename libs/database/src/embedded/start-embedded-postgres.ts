import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { locatePackage, usableBinaries } from './binaries.js';
import {
  chooseHome,
  DURABLE_PLACES,
  isInside,
  openDataDirectory,
  prepareHome,
  readRecord,
} from './data-directory.js';
import { claimDirectory, type DirectoryClaim } from './directory-claim.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { EmbeddedPostgresError } from './errors.js';
import { initialiseCluster, refuseOtherVersion } from './initialise-cluster.js';
import { handOver, postgresUser } from './os-user.js';
import { writePrivately } from './private-file.js';
import { listenSettings, serverSettings, settingsFile, type ServerSite } from './server-settings.js';
import { openSocketDirectory } from './socket-directory.js';
import { superuserPassword } from './superuser-password.js';

export interface EmbeddedPostgresOptions {
  /** Holds everything, or points to it; created when missing. */
  readonly dataDir: string;
  /** Takes one sentence of progress at a time, for the person who started it. */
  readonly log?: (line: string) => void;
  /** Server settings that go before ours, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** False only for clusters that may be lost: they do not survive a crash of the machine. Default true. */
  readonly durable?: boolean;
  /** False leaves the server in this terminal's process group: Ctrl-C stops it too. Default true. */
  readonly ownSession?: boolean;
  /** Where root keeps what Postgres' user cannot reach in `dataDir`; the first that works is used. */
  readonly durablePlaces?: readonly string[];
}

/**
 * Starts the Postgres that npm brought on the cluster of a data directory, which it makes on the first start,
 * and resolves when the database `agentflow` takes connections.
 *
 * Nobody else can own the directory meanwhile (`DataDirectoryInUse`); what an owner that was killed left behind,
 * a running server included, is cleared away first. Every other obstacle is an `EmbeddedPostgresError` whose
 * message says what to do. The superuser's URL is also written to `<dataDir>/postgres-url`, for pg_dump and psql.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const claims: DirectoryClaim[] = [];
  let postgres: EmbeddedPostgres | undefined;
  try {
    postgres = await prepare(options, claims);
    await postgres.start();
    for (const claim of claims) claim.confirm();
    writePrivately(join(postgres.dataDir, 'postgres-url'), postgres.adminUrl + '\n');
    return postgres;
  } catch (error) {
    await postgres?.stop();
    for (const claim of claims) claim.release();
    throw explained(error, options.dataDir);
  }
}

/** Everything before the server runs. Claims are handed over as they are made, so that a failure releases them. */
async function prepare(
  options: EmbeddedPostgresOptions,
  claims: DirectoryClaim[],
): Promise<EmbeddedPostgres> {
  const { log = () => undefined, durable = true, durablePlaces = DURABLE_PLACES } = options;
  const source = locatePackage();
  const directory = openDataDirectory(options.dataDir);
  claims.push(await claimDirectory(directory.path));

  const recorded = readRecord(directory);
  const data = recorded && join(recorded.home, 'data');
  const existing = data && existsSync(data) ? data : undefined;
  if (existing) refuseOtherVersion(existing, source.major);
  const user = postgresUser(existing);
  const binaries = await usableBinaries(source, user, user ? durablePlaces : [directory.path]);

  const { home, name } = recorded ?? (await chooseHome(directory, user, durablePlaces));
  if (recorded && !(await prepareHome(directory, home, user))) {
    throw new EmbeddedPostgresError(
      `The cluster in ${home} cannot be reached by the user that runs Postgres (uid ${user?.uid ?? process.getuid?.()}). ` +
        `Let other users enter the folders above it (chmod o+x), or start as the user that owns them.`,
    );
  }
  // A data directory that was copied may point to a cluster that the original still owns.
  if (!isInside(directory, home)) claims.push(await claimDirectory(home));
  if (existing && user) await handOver(home, user);

  if (!existing) log(`Preparing a Postgres ${source.version} cluster in ${home}`);
  const password = superuserPassword(directory.path, existing !== undefined);
  await initialiseCluster({ home, binaries, user, password, durable });

  const windows = process.platform === 'win32';
  const port = windows ? await freePort() : 5432;
  const socketDirectory = windows ? undefined : openSocketDirectory(home, port, user);
  const site: ServerSite = {
    socketDirectory,
    port,
    logDirectory: join(home, 'log'),
    memoryBytes: memory(),
    durable,
  };
  writePrivately(join(home, 'data', 'postgresql.conf'), settingsFile(serverSettings(site)), user);
  const settings = { ...options.settings, ...listenSettings(site), cluster_name: name };
  const connection = {
    host: socketDirectory ?? '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'agentflow',
  };
  const launch = { home, name, binaries, user, settings, ownSession: options.ownSession ?? true };
  return new EmbeddedPostgres(directory.path, connection, launch, claims, log);
}

function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** A refusal of the operating system as a sentence; everything else as it is. */
function explained(error: unknown, dataDir: string): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || syscall === undefined) return error;
  return new EmbeddedPostgresError(`The data directory ${dataDir} cannot be used: ${message}`, {
    cause: error,
  });
}
