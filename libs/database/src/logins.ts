import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { APP_ROLE, WORKER_ROLE } from './roles.js';

/** How the api and the worker log in to a server that is ours alone. */
export interface Logins {
  appUrl: string;
  workerUrl: string;
}

/**
 * Lets the two roles log in to an embedded server, each with a password that is new with every start and known to
 * this process only. So nobody serves requests as the superuser, who could become anybody.
 */
export async function openLogins(adminUrl: string): Promise<Logins> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const [app, worker] = [await open(client, APP_ROLE), await open(client, WORKER_ROLE)];
    return { appUrl: loginUrl(adminUrl, APP_ROLE, app), workerUrl: loginUrl(adminUrl, WORKER_ROLE, worker) };
  } finally {
    await client.end();
  }
}

async function open(client: pg.Client, role: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  return password;
}

function loginUrl(adminUrl: string, user: string, password: string): string {
  return adminUrl.replace(/^(postgres(?:ql)?:\/\/)[^@/]*@/, `$1${user}:${password}@`);
}
