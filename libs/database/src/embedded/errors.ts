/** The embedded Postgres cannot be run; the message is a sentence for the person who started it. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

/** Another living process owns the data directory; `pid` is that process. */
export class DataDirectoryInUse extends EmbeddedPostgresError {
  override readonly name = 'DataDirectoryInUse';

  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(
      `The data directory ${directory} is in use by process ${pid}. ` +
        `Stop that process first, or set AGENTFLOW_DATA_DIR to another directory.`,
    );
  }
}
