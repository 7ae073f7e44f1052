import { readdir } from 'node:fs/promises';
import type { MigrationInterface } from 'typeorm';

export type Migration = new () => MigrationInterface;

/** The same distance from the sources and from what the compiler makes of them. */
const FOLDER = new URL('../../../migrations/', import.meta.url);
const FILE = /^(\d{13})-[a-z0-9-]+\.[jt]s$/;

let loaded: Promise<Migration[]> | undefined;

/** All migrations that this version of the product has, oldest first. */
export function allMigrations(): Promise<Migration[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => FILE.test(file)).sort();
  return Promise.all(files.map(migrationOf));
}

/** A file holds one class, whose name ends in the file's timestamp: the database remembers the class's name. */
async function migrationOf(file: string): Promise<Migration> {
  const timestamp = FILE.exec(file)?.[1] as string;
  const exported = (await import(new URL(file, FOLDER).href)) as Record<string, unknown>;
  const found = Object.values(exported).filter(
    (value): value is Migration => typeof value === 'function' && value.name.endsWith(timestamp),
  );
  if (found.length !== 1) throw new Error(`migrations/${file} must export one class named …${timestamp}`);
  return found[0] as Migration;
}
