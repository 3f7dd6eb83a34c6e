import { closeSync, openSync } from 'node:fs';

/**
 * Makes a file that only its owner can read, for SQLite, whose own files are open to all; it gives the log beside a database
 * the database's mode. A file that is there is left alone: closing a second descriptor of it would drop SQLite's locks.
 */
export function createOwnerOnly(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
