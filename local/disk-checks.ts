import { statfs } from 'node:fs/promises';
import type { SqliteStore } from '#adapters/server/sqlite/store.ts';
import type { HealthCheck } from '#lib/server/endpoints/health.ts';
import { messageOf } from './start-fault.ts';

/** The size in bytes of the largest write, with a margin. If less space is free, a successful small write proves little. */
const ROOM = 4 * 1024 * 1024;

/**
 * Checks whether writes reach the disk. `disk` fails after a failed write until any write succeeds, including its own test write. It
 * reports the free bytes. `disk-sync` fails if only a restart can help; then the server's liveness check fails too.
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
