import { Notifications, type Database } from '@agentflow/database';
import type { Logger } from 'pino';
import { Followers } from './followers.js';
import { LiveRuns, type LiveMessage } from './live-runs.js';

/** Who follows runs in this process, and what wakes them. */
export interface RunNews {
  followers: Followers;
  liveRuns: LiveRuns;
  end(): Promise<void>;
}

/**
 * Wakes who follows a run when something is committed to it: at once when this process did it, and a moment later, by way
 * of Postgres, when another did. The commits themselves notify nobody, which would make all of them wait for each other.
 */
export function startRunNews(database: Database, url: string, log: Pick<Logger, 'warn'>): RunNews {
  const followers = new Followers();
  const notifications = new Notifications(
    url,
    {
      touched: (ids) => (ids === undefined ? followers.wakeAll() : followers.wake(ids)),
      said: (message) => liveRuns.hear(message as LiveMessage),
      connected: () => liveRuns.connected(),
    },
    (error) => log.warn({ err: error }, 'does not hear of what other processes write; trying again'),
  );
  const liveRuns: LiveRuns = new LiveRuns((message) => notifications.say(message));
  database.onTouched = (ids) => {
    followers.wake(ids);
    notifications.tell(ids);
  };
  return {
    followers,
    liveRuns,
    end: async () => {
      database.onTouched = undefined;
      followers.end();
      liveRuns.end();
      await notifications.end();
    },
  };
}
