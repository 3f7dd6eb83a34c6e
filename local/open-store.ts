import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { lostLog } from '#adapters/server/sqlite/lost-log.ts';
import { hasTables } from '#adapters/server/sqlite/schema.ts';
import { SqliteStore } from '#adapters/server/sqlite/store.ts';
import type { HealthCheck } from '#lib/server/endpoints/health.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { Identity } from './data-directory.ts';
import { diskChecks } from './disk-checks.ts';
import { dataFault, StartFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';

const DATABASE = 'davit.db';

/** How long old versions stay readable, in ms. */
export const RETENTION = 60 * 60 * 1000;

/** An open store and its health checks. */
export interface OpenedStore {
  readonly store: SequenceStore;
  readonly healthChecks: readonly HealthCheck[];
  /** The file of the store; undefined for a store in memory. */
  readonly file?: SqliteStore;
}

/** Opens the database of a data directory, or a store in memory if there is no directory. Throws StartFault. */
export function openStore({ dataDirectory, sync = 'full' }: StartOptions): OpenedStore {
  if (dataDirectory === undefined) {
    return { store: new MemoryStore({ clock: systemClock, retention: RETENTION }), healthChecks: [] };
  }
  const path = join(dataDirectory, DATABASE);
  try {
    const store = new SqliteStore({ path, clock: systemClock, retention: RETENTION, sync });
    return { store, healthChecks: diskChecks(dataDirectory, store), file: store };
  } catch (error) {
    throw dataFault(path, error);
  }
}

/** The database of a data directory in its current state, even while a server writes to it. Throws StartFault. */
export function openSnapshot(dataDirectory: string): SqliteStore {
  const path = join(dataDirectory, DATABASE);
  try {
    if (!hasTables(path)) throw new StartFault(`${path} holds no data`);
    return new SqliteStore({ path, clock: systemClock, snapshot: true });
  } catch (error) {
    throw dataFault(path, error);
  }
}

/** Throws StartFault if a data directory has an identity but no data. */
export function refuseLostData(directory: string): void {
  const path = join(directory, DATABASE);
  try {
    if (hasTables(path)) return;
  } catch (error) {
    throw dataFault(path, error);
  }
  const identity = join(directory, 'identity.json');
  throw new StartFault(
    `${path} is missing or empty, but ${identity} is there; put back a copy and run davit restore --data-dir ${directory}, or remove ${identity} to begin anew`,
  );
}

/** Describes commits of the previous process that were lost; undefined if none were. Call it while no process uses the data directory. */
export function lossOf(directory: string): string | undefined {
  const path = join(directory, DATABASE);
  try {
    const lost = lostLog(path);
    if (lost === undefined) return undefined;
    const { frames, readable } = lost;
    return `${path}-wal is damaged, or not of ${path}: of ${frames} pages that were committed to it, ${readable} can be read`;
  } catch (error) {
    throw dataFault(path, error);
  }
}

/** Throws StartFault if committed changes are lost, because the older state would reuse their versions for other changes. */
export function refuseLostChanges(directory: string): void {
  const loss = lossOf(directory);
  if (loss === undefined) return;
  throw new StartFault(
    `${loss}; put back a copy, or run davit restore --data-dir ${directory} to go on with what can be read`,
  );
}

/** Throws StartFault if pages of a database are inconsistent. The readable part of its log may be older than the pages. */
export function refusePageFaults(directory: string, { file }: OpenedStore): void {
  for (const fault of file?.pageFaults() ?? []) {
    throw new StartFault(`${join(directory, DATABASE)} is damaged (${fault}); put back another copy`);
  }
}

/** The identity that will own a database. */
export interface Owner {
  readonly identity: Identity;
  /** Whether this identity takes over data that belongs to another. */
  readonly takesOver: boolean;
}

/**
 * Marks a database as belonging to the directory's identity. Throws StartFault if it belongs to another identity, because clients would
 * mistake another cluster's objects and versions for their own.
 */
export function own(directory: string, { file }: OpenedStore, { identity, takesOver }: Owner): void {
  const path = join(directory, DATABASE);
  const owner = ownerNumber(identity);
  try {
    if (file === undefined || file.owner === owner) return;
    if (file.owner === 0 || takesOver) return file.giveTo(owner);
  } catch (error) {
    throw dataFault(path, error);
  }
  throw new StartFault(
    `${path} is of another cluster than ${join(directory, 'identity.json')}; put back its own, or run davit restore --data-dir ${directory} to take it over`,
  );
}

/** A positive int32 derived from the authority. */
const ownerNumber = ({ authority }: Identity): number =>
  (createHash('sha256').update(authority).digest().readUInt32BE(0) >>> 1) | 1;
