export { AgentFlow, type AgentFlowOptions } from './client.js';
export {
  AgentFlowError,
  ApiError,
  ConnectionError,
  type ProblemCode,
  type RequestFault,
  TimeoutError,
} from './errors.js';
export { ApiPromise, type WithResponse } from './http/api-promise.js';
export type { Fetch } from './http/attempt.js';
export type { CallOptions } from './http/transport.js';
export { newId } from './ids.js';
export { type RawJson, rawJson } from './json/raw-json.js';
export { List } from './list.js';
export { Run } from './runs/run.js';
export { Step } from './runs/step.js';
export { ToolCall } from './runs/tool-call.js';
export type * from './types.js';
