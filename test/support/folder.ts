import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Folder {
  readonly path: string;
  remove(): void;
}

/** An empty folder, for its owner only unless another mode is given. */
export function aFolder({ mode = 0o700 } = {}): Folder {
  const path = mkdtempSync(join(tmpdir(), 'agentflow-test-'));
  chmodSync(path, mode);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
