import { tellMatrix } from '../support/matrix/tell-matrix.js';

await tellMatrix(async () => undefined);
