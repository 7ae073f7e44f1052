import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataDirectoryInUse } from './errors.js';
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.js';

/** What a claim's file says; `settled` means that its writer saw no rival and owns the directory. */
export interface ClaimRecord extends ProcessIdentity {
  readonly settled: boolean;
}

export interface DirectoryClaim {
  /**
   * Removes the claims of owners that are gone. For later than the claim itself, once it is certain: the owner in
   * another container on the same volume looks gone too, and only its server shows that it is not.
   */
  confirm(): void;
  /** Gives the directory back; a second call does nothing. */
  release(): void;
}

const CLAIM_FILE = /^owner-([0-9a-f]{16})\.json$/;
const PATIENCE_MS = 5_000;

/**
 * Makes this process the only owner of a directory until `release`, or throws `DataDirectoryInUse`.
 *
 * Every claimant writes a file of its own and owns the directory only after it has then seen no other living
 * claimant; of two that meet, the smaller token goes on. Nobody ever replaces or deletes the file of a living
 * process, which is what makes taking over from a dead one safe: with one common lock file, two starts can
 * both judge it stale, and the slower one removes the lock that the faster one has just taken.
 */
export async function claimDirectory(directory: string): Promise<DirectoryClaim> {
  const token = randomBytes(8).toString('hex');
  const file = join(directory, `owner-${token}.json`);
  const identity = ownIdentity();
  const claim = {
    confirm: () => removeDeadClaims(directory),
    release: () => rmSync(file, { force: true }),
  };
  const deadline = Date.now() + PATIENCE_MS;
  let written = false;
  try {
    for (;;) {
      const rivals = claims(directory).filter((claim) => claim.token !== token && isAlive(claim));
      const owner = rivals.find((rival) => rival.settled) ?? (Date.now() > deadline ? rivals[0] : undefined);
      if (owner) throw new DataDirectoryInUse(directory, owner.pid);
      if (rivals.some((rival) => rival.token < token)) {
        claim.release();
        written = false;
        await delay(10);
      } else if (!written) {
        writeClaim(file, { ...identity, settled: false });
        written = true;
      } else if (rivals.length === 0) {
        writeClaim(file, { ...identity, settled: true });
        return claim;
      } else {
        await delay(10);
      }
    }
  } catch (error) {
    if (written) claim.release();
    throw error;
  }
}

/** Whether a process once claimed this directory and ended without giving it back. */
export function wasAbandoned(directory: string): boolean {
  const all = claims(directory);
  return all.length > 0 && !all.some(isAlive);
}

/** What a claim's file holds; a file that says nothing sensible belongs to nobody alive. */
export function parseClaim(text: string): ClaimRecord {
  try {
    const { pid, started, settled } = JSON.parse(text) as Partial<ClaimRecord>;
    if (typeof pid === 'number' && (typeof started === 'string' || started === null)) {
      return { pid, started, settled: settled === true };
    }
  } catch {
    // A power cut may leave an empty file behind.
  }
  return { pid: 0, started: null, settled: false };
}

function claims(directory: string): (ClaimRecord & { token: string; file: string })[] {
  return readdirSync(directory).flatMap((name) => {
    const token = CLAIM_FILE.exec(name)?.[1];
    const file = join(directory, name);
    return token ? [{ ...readClaim(file), token, file }] : [];
  });
}

/** A file is one process's for ever: nobody can come to live behind it after it was judged. */
function removeDeadClaims(directory: string): void {
  for (const claim of claims(directory)) if (!isAlive(claim)) rmSync(claim.file, { force: true });
}

function readClaim(path: string): ClaimRecord {
  try {
    return parseClaim(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return parseClaim('');
    throw error;
  }
}

/** Written aside and renamed, so that a reader never meets half a record. World-readable: a pid is no secret. */
function writeClaim(path: string, record: ClaimRecord): void {
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o644 });
  renameSync(`${path}.new`, path);
}
