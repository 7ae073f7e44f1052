/** Where an AgentFlow is, and a key for it. */
export interface Access {
  url: string;
  key: string;
}

/** A call of a tool that a run waits with, and what was decided about it. */
export interface Asked {
  id: string;
  status: string;
  payload: { tool: string; arguments: Record<string, unknown> };
  /** The arguments of an edit, or the answer. */
  answer: unknown;
}

/** Asks the REST API; what it refuses is thrown with its code. */
export async function ask<T>({ url, key }: Access, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  });
  const answer = (await response.json()) as T & { code?: string; detail?: string };
  if (!response.ok)
    throw new Error(`${method} /v1/${path}: ${response.status} ${answer.code}, ${answer.detail}`);
  return answer;
}

/** Waits until somebody has decided about everything that a run waits for, however long that takes. */
export async function decisions(access: Access, runId: string): Promise<Asked[]> {
  const { waiting_for } = await ask<{ waiting_for: { approvals: { id: string }[] } }>(
    access,
    'GET',
    `runs/${runId}`,
  );
  const decided = async (id: string): Promise<Asked> => {
    for (;;) {
      const path = `runs/${runId}/approvals/${id}?wait=30`;
      const approval = await ask<Asked>(access, 'GET', path);
      if (approval.status !== 'pending') return approval;
    }
  };
  return Promise.all(waiting_for.approvals.map(({ id }) => decided(id)));
}

/** Resolves when the log of a run tells of a type of event; false when it ends without, or `leaving` is aborted. */
export async function heard(
  { url, key }: Access,
  runId: string,
  type: string,
  leaving: AbortSignal,
): Promise<boolean> {
  try {
    const stream = await fetch(`${url}/v1/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leaving,
    });
    let text = '';
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + chunk).split('\n');
      text = lines.pop() as string;
      if (lines.includes(`event: ${type}`)) return true;
    }
    return false;
  } catch (error) {
    if (leaving.aborted) return false;
    throw error;
  }
}
