import { migrate } from '../../libs/database/src/migrate.js';

/** A migrator in a process of its own, for tests to kill: `migrate-process.ts <url>`. */
await migrate(process.argv[2] as string);
