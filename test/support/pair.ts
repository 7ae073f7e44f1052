import { anApi, type Settings, type TestApi } from './api.js';
import type { Client } from './client.js';

/** Two api instances over one database, as behind a balancer. */
export interface ApiPair {
  readonly first: TestApi;
  readonly second: TestApi;
  /** The same admin, at each instance. */
  readonly admins: readonly [Client, Client];
  close(): Promise<void>;
}

export async function aPairOfApis(settings: Settings = {}): Promise<ApiPair> {
  const first = await anApi(settings);
  const second = await anApi(settings, first.database);
  return {
    first,
    second,
    admins: [first.admin, second.as(first.adminKey)],
    close: async () => {
      await second.close();
      await first.close();
    },
  };
}
