import { Flag } from '../../http/field-kinds.js';

export class DeleteProjectQuery {
  @Flag({
    optional: true,
    description: 'Delete the agents of the project, and all that is below them, as well.',
  })
  cascade?: boolean;
}
