import { closeSync, openSync } from 'node:fs';

/**
 * Creates a file for SQLite that only its owner can read. By default everyone can read SQLite's files, but the log next to a database gets
 * the database's mode. An existing file stays unchanged, because closing a second descriptor of it would drop SQLite's locks.
 */
export function createOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
