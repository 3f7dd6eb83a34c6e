import { DatabaseSync } from 'node:sqlite';
import { createOwnerOnly } from './owner-only.ts';

const BUSY = 5;

/**
 * An exclusive lock on a file. It is held until `release` is called or the process ends in any way, because the system drops it with the
 * file. Undefined if another process holds it.
 */
export function lockFile(path: string): { release(): void } | undefined {
  createOwnerOnly(path);
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { errcode?: number }).errcode === BUSY) return undefined;
    throw error;
  }
  return { release: () => db.close() };
}
