import { AgentFlow, type AgentFlowOptions, type Fetch } from '@agentflow/sdk';
import type { TestApi } from './api.js';
import { checkAgainstDocument } from './document.js';

/** A client of a test's api, whose every answer is held against the served OpenAPI document. */
export function anSdk(api: TestApi, options: AgentFlowOptions = {}): AgentFlow {
  return new AgentFlow({ apiKey: api.adminKey, baseUrl: api.url, fetch: checked(api.url), ...options });
}

function checked(apiUrl: string): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    const text = await response.clone().text();
    const { pathname } = new URL(url);
    await checkAgainstDocument(apiUrl, init.method as string, pathname, {
      status,
      headers,
      body: text === '' ? undefined : JSON.parse(text),
    });
    return response;
  };
}
