import { statfs } from 'node:fs/promises';
import type { SqliteStore } from '#adapters/server/sqlite/store.ts';
import type { HealthCheck } from '#lib/server/endpoints/health.ts';
import { messageOf } from './start-fault.ts';

/** Bytes that the largest write takes, with room to spare. While fewer are free, a small write that succeeds proves little. */
const ROOM = 4 * 1024 * 1024;

/**
 * Whether writes reach the disk. `disk` fails from a failed write until one succeeds, its own included, and tells the bytes that
 * are free; `disk-sync` fails where only a restart helps, and with it the server's liveness.
 */
export const diskChecks = (
  directory: string,
  store: Pick<SqliteStore, 'failure' | 'touch' | 'checkSync'>,
): readonly HealthCheck[] => [
  { name: 'disk', readiness: true, check: () => checkDisk(directory, store) },
  { name: 'disk-sync', check: async () => store.checkSync() },
];

async function checkDisk(directory: string, store: Pick<SqliteStore, 'failure' | 'touch'>): Promise<void> {
  const { failure } = store;
  if (failure === undefined) return;
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  try {
    if (failure.code === 'NoSpace' && free < ROOM) throw failure;
    await store.touch();
  } catch (error) {
    throw new Error(`${messageOf(error)} (${free} bytes are free in ${directory})`, { cause: error });
  }
}
