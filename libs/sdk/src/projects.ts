import type { CallOptions, Transport } from './http/transport.js';
import { listAt, type List } from './list.js';
import type { ListProjectsQuery, Project } from './types.js';

/** Projects: where agents and their runs belong. */
export class Projects {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The projects that the key sees, newest first. */
  list(query: ListProjectsQuery = {}, options?: CallOptions): List<Project> {
    return listAt(this.#transport, ['projects'], query, options);
  }
}
