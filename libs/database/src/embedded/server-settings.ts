/** What the settings depend on; paths are absolute, `memoryBytes` is what this machine or container has. */
export interface ServerSite {
  readonly socketDirectory: string | undefined;
  readonly port: number;
  readonly logDirectory: string;
  readonly memoryBytes: number;
  /** False gives up every promise about crashes for speed: throw-away clusters only. */
  readonly durable: boolean;
}

const MIB = 1024 * 1024;

/**
 * Settings for one small machine that keeps every acknowledged commit. `ALTER SYSTEM` goes before all of them
 * except where the server listens.
 */
export function serverSettings(site: ServerSite): Record<string, string> {
  return {
    max_connections: '100',
    shared_buffers: site.memoryBytes >= 4096 * MIB ? '256MB' : '128MB',
    fsync: onOff(site.durable),
    synchronous_commit: onOff(site.durable),
    full_page_writes: onOff(site.durable),
    // The only method these binaries have besides none; after a checkpoint most of the log is whole pages.
    wal_compression: 'pglz',
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    // Every machine this is made for has an SSD; the default prices a random read as a disk's seek.
    random_page_cost: '1.1',
    // The binaries bring no compiler, and short statements would not gain from one.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    datestyle: 'iso, ymd',
    lc_messages: 'C',
    logging_collector: 'on',
    log_directory: site.logDirectory,
    // One file a weekday, each overwritten after a week: the log can never fill the disk over the years.
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_line_prefix: '%m [%p] %q%u@%d ',
  };
}

/** Where the server listens: a private socket, or loopback where a socket is given up (Windows). */
export function listenSettings({ socketDirectory, port }: ServerSite): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: socketDirectory === undefined ? '127.0.0.1' : '',
    // The value is a list, in which a quoted path may contain commas and spaces.
    unix_socket_directories:
      socketDirectory === undefined ? '' : `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/** The text of a postgresql.conf, whose quoted values know backslash escapes and doubled quotes. */
export function settingsFile(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`,
  );
  return [
    '# Written at every start. Change settings by ALTER SYSTEM, which goes before this file.',
    ...lines,
    '',
  ].join('\n');
}

function onOff(value: boolean): string {
  return value ? 'on' : 'off';
}
