import { closeSync, openSync } from 'node:fs';

/**
 * Creates a file for SQLite that only its owner can read. SQLite's own files are readable by all, but the log next to a database gets the
 * database's mode. An existing file is left alone: closing a second descriptor of it would drop SQLite's locks.
 */
export function createOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
