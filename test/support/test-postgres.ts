/** The cluster of a test run. */
export interface TestPostgres {
  /** A superuser's URL, to whatever database it has. */
  readonly adminUrl: string;
  /** The database that is migrated once and cloned for every test file. */
  readonly template: string;
  /** The password of `agentflow_app` and `agentflow_worker`. */
  readonly password: string;
}

/** The URL with another database in it, and another login where one is given. */
export function databaseUrl(
  url: string,
  database: string,
  login?: { role: string; password: string },
): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (login) {
    changed.username = login.role;
    changed.password = login.password;
  }
  return changed.href;
}
