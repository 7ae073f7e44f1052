import type { TestApi } from '../api.js';
import { everyRow } from '../pages.js';

/** Lists every run, opens each with all that belongs to it, and every list below; tells what did not answer 200. */
export async function everyOpening(api: TestApi): Promise<string[]> {
  const failed: string[] = [];
  for (const { id } of await everyRow(api.admin, '/v1/runs', 200)) {
    const paths = ['?include=steps,messages,tool_calls,checkpoints', '/checkpoints/latest'];
    for (const path of paths) {
      const answer = await api.admin.get(`/v1/runs/${id}${path}`);
      const isThere = answer.status === 200 || (path.endsWith('latest') && answer.status === 404);
      if (!isThere) failed.push(`${id}${path}: ${answer.status}`);
    }
    for (const list of ['steps', 'messages', 'tool-calls', 'checkpoints']) {
      await everyRow(api.admin, `/v1/runs/${id}/${list}`, 200);
    }
  }
  for (const { id } of await everyRow(api.admin, '/v1/agents', 200)) {
    await everyRow(api.admin, `/v1/agents/${id}/versions`, 200);
    await everyRow(api.admin, `/v1/agents/${id}/tool-calls`, 200);
  }
  return failed;
}
