import { isServerCommand } from './server-processes.js';

test.each([
  'postgres: agentflow-1f: postgres agentflow [local] SELECT',
  'postgres: agentflow-1f: checkpointer',
  '/n/bin/postgres -D /data -c port=5432 -c cluster_name=agentflow-1f',
])('%p is a process of the cluster', (command) => {
  expect(isServerCommand(command, 'agentflow-1f')).toBe(true);
});

test.each([
  '',
  'postgres: agentflow-1f2: checkpointer',
  'postgres: checkpointer',
  '/n/bin/postgres -D /data -c cluster_name=agentflow-1f2',
  'vi postgres: agentflow-1f: notes',
  'psql postgres://agentflow-1f',
])('%p is none', (command) => {
  expect(isServerCommand(command, 'agentflow-1f')).toBe(false);
});
