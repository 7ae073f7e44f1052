import type { TestApi } from '../support/api.js';
import { aKey, anOrganization, aProject } from '../support/things.js';
import { inShort, type RunInShort } from './run-in-short.js';

/** A project that one client reports into, with a key that may report and nothing else. */
export interface ReportingProject {
  readonly key: string;
  /** What was reported, oldest first. */
  runs(): Promise<RunInShort[]>;
}

/** In an organization of its own: agents are called as their programs call them, and several programs say the same. */
export async function aReportingProject(api: TestApi): Promise<ReportingProject> {
  const admin = api.as((await anOrganization(api.root)).api_key.key);
  const project = await aProject(admin);
  const { key } = await aKey(admin, { scope: 'project', project_id: project.id, role: 'reporter' });
  const runs = async (): Promise<RunInShort[]> => {
    const { data } = (await admin.get(`/v1/runs?project_id=${project.id}&limit=200`)).body;
    const ids = (data as { id: string }[]).map(({ id }) => id).reverse();
    return Promise.all(ids.map((id) => inShort(admin, id)));
  };
  return { key, runs };
}
