/** How to reach a database; `host` is an absolute directory when it is a Unix socket's. */
export interface PostgresConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * The connection as a URL that `pg`, libpq's programs and WHATWG's `URL` all read: a socket's directory stands
 * percent-encoded in the place of the host.
 */
export function postgresUrl({ host, port, user, password, database }: PostgresConnection): string {
  const [u, p, h, d] = [user, password, host, database].map(encodeURIComponent);
  return `postgres://${u}:${p}@${h}:${port}/${d}`;
}
