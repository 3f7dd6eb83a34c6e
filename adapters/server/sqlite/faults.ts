import { StoreError } from '#lib/storage/errors.ts';
import type { Database } from './database.ts';
import { type Row, textAt, versionAt } from './rows.ts';

const INTEGRITY = 'PRAGMA integrity_check';
const LOGS = `
  SELECT name, watermark, count(version) AS rows, coalesce(min(version), 0) AS first, coalesce(max(version), 0) AS head
  FROM sequence LEFT JOIN log ON seq = id GROUP BY id ORDER BY name`;
const NEWER = `
  SELECT name, key, version, watermark FROM item JOIN sequence ON seq = id WHERE version > watermark ORDER BY name, key`;
const AHEAD = `
  SELECT name, reader, version FROM cursor JOIN sequence ON seq = id
  WHERE version > (SELECT max(version) FROM log WHERE log.seq = id) ORDER BY name, reader`;
const dangling = (table: string): string =>
  `SELECT '${table}' AS name, seq AS sequence, count(*) AS rows FROM ${table} WHERE seq NOT IN (SELECT id FROM sequence) GROUP BY seq`;

interface Check {
  readonly sql: string;
  faults(row: Row): readonly string[];
}

const PAGES: Check = {
  sql: INTEGRITY,
  faults: (row) => (row['integrity_check'] === 'ok' ? [] : [`SQLite: ${textAt(row, 'integrity_check')}`]),
};

const CHECKS: readonly Check[] = [
  PAGES,
  { sql: LOGS, faults: logFaults },
  {
    sql: NEWER,
    faults: (row) => [
      `${textAt(row, 'name')}: the state of ${textAt(row, 'key')} is of version ${versionAt(row, 'version')}, its checkpoint of ${versionAt(row, 'watermark')}`,
    ],
  },
  {
    sql: AHEAD,
    faults: (row) => [
      `${textAt(row, 'name')}: the cursor ${textAt(row, 'reader')} is at ${versionAt(row, 'version')}, behind the log's end`,
    ],
  },
  ...['log', 'item', 'cursor'].map((table) => ({
    sql: dangling(table),
    faults: (row: Row) => [
      `${textAt(row, 'name')}: ${versionAt(row, 'rows')} rows of sequence ${versionAt(row, 'sequence')}, which there is none of`,
    ],
  })),
];

function logFaults(row: Row): string[] {
  const name = textAt(row, 'name');
  const [rows = 0, first = 0, head = 0, watermark = 0] = ['rows', 'first', 'head', 'watermark'].map((column) =>
    versionAt(row, column),
  );
  if (rows === 0) return [`${name}: the log is empty`];
  const missing = head - first + 1 - rows;
  return [
    ...(missing > 0 ? [`${name}: ${missing} versions between ${first} and ${head} are not in the log`] : []),
    ...(watermark > head ? [`${name}: the checkpoint is of version ${watermark}, the log ends at ${head}`] : []),
    ...(watermark < first - 1
      ? [`${name}: the log begins at ${first}, the checkpoint is of version ${watermark}`]
      : []),
  ];
}

/** Yields a line for each fault of a file, without bodies: pages, logs, checkpoints, cursors, rows without a sequence. */
export const faultsOf = (db: Database): Generator<string, void> => found(db, CHECKS);

/** Yields a line for each fault of a file's pages. */
export const pageFaultsOf = (db: Database): Generator<string, void> => found(db, [PAGES]);

function* found(db: Database, checks: readonly Check[]): Generator<string, void> {
  for (const { sql, faults } of checks) {
    try {
      for (const row of db.all(sql)) yield* faults(row);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      yield `SQLite: ${error.message}`;
    }
  }
}
