import { join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { hasTables } from '#adapters/sqlite/schema.ts';
import { SqliteStore } from '#adapters/sqlite/store.ts';
import type { HealthCheck } from '#lib/endpoints/health.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { diskChecks } from './disk-checks.ts';
import { dataFault, StartFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';

const DATABASE = 'davit.db';

/** Milliseconds that what was can still be read. */
export const RETENTION = 60 * 60 * 1000;

export interface OpenedStore {
  readonly store: SequenceStore;
  readonly healthChecks: readonly HealthCheck[];
}

/** The database of a data directory, or a store in memory where there is none. Throws StartFault. */
export function openStore({ dataDirectory, sync = 'full' }: StartOptions): OpenedStore {
  if (dataDirectory === undefined) {
    return { store: new MemoryStore({ clock: systemClock, retention: RETENTION }), healthChecks: [] };
  }
  const path = join(dataDirectory, DATABASE);
  try {
    const store = new SqliteStore({ path, clock: systemClock, retention: RETENTION, sync });
    return { store, healthChecks: diskChecks(dataDirectory, store) };
  } catch (error) {
    throw dataFault(path, error);
  }
}

/** The database of a data directory as it is now, also while a server writes to it. Throws StartFault. */
export function openSnapshot(dataDirectory: string): SqliteStore {
  const path = join(dataDirectory, DATABASE);
  try {
    if (!hasTables(path)) throw new StartFault(`${path} holds no data`);
    return new SqliteStore({ path, clock: systemClock, snapshot: true });
  } catch (error) {
    throw dataFault(path, error);
  }
}

/** Throws StartFault where a data directory that has an identity has no data. */
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
