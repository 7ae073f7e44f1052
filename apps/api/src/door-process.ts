import { runProcess } from '@agentflow/core';
import { openDoors } from './start/open-doors.js';
import { tellPrimary, toldToBegin } from './start/primary.js';

/* One of the processes that `start/door-processes.ts` starts. It ends when that one ends, however. */
await runProcess(async (configuration, log, life) => {
  const { appUrl, port } = await toldToBegin(life.ending);
  tellPrimary({ type: 'opened', opened: await openDoors({ ...configuration, port }, appUrl, log, life) });
});
