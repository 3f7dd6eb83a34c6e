import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '#lib/storage/errors.ts';
import { storeError } from './errors.ts';

/** The format of rows that this program writes. It does not read newer formats. */
export const FORMAT = 1;

/**
 * `log` has one row per change, and one row without a key for an empty entry. The rows of an entry share `first` and `nonce`. `body` is the
 * stamped JSON, and follows the columns that scans read. For bodies of 1–2 KB, tables with a row id take a third of the space of those
 * without, and are faster.
 */
const TABLES = `
  CREATE TABLE sequence (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, watermark INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE log (
    seq INTEGER NOT NULL, version INTEGER NOT NULL, first INTEGER NOT NULL, time INTEGER NOT NULL,
    format INTEGER NOT NULL, nonce TEXT NOT NULL, key TEXT, type TEXT, meta TEXT, body BLOB, previous BLOB,
    PRIMARY KEY (seq, version)
  ) STRICT;
  CREATE TABLE item (
    seq INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, format INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (seq, key)
  ) STRICT;
  CREATE TABLE cursor (
    seq INTEGER NOT NULL, reader TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (seq, reader)
  ) STRICT, WITHOUT ROWID;
`;

/** Creates the tables of a new file. Throws UnknownFormat for a file of a newer program. */
export function prepareSchema(db: DatabaseSync): void {
  if (fileFormat(db) === 0) {
    db.exec('BEGIN IMMEDIATE');
    try {
      if (fileFormat(db) === 0) db.exec(`${TABLES} PRAGMA user_version = ${FORMAT}`);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
  checkTables(db);
}

/** Throws UnknownFormat if the tables are missing or do not belong to this program. */
export const checkTables = (db: DatabaseSync): void => checkFormat(fileFormat(db));

/** Whether a file contains the tables. False if the file is missing or empty. The file stays unchanged. Throws StoreError. */
export function hasTables(path: string): boolean {
  // SQLite would drop the write-ahead log next to an empty file.
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    return fileFormat(db) !== 0;
  } catch (error) {
    throw storeError(error);
  } finally {
    db?.close();
  }
}

/** Throws UnknownFormat for a format of a newer program. */
export function checkFormat(format: unknown): void {
  if (typeof format === 'number' && format >= 1 && format <= FORMAT) return;
  throw new StoreError('UnknownFormat', `format ${String(format)} is not one that this program reads`);
}

const fileFormat = (db: DatabaseSync): unknown => db.prepare('PRAGMA user_version').get()?.['user_version'];
