import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StoreError } from '#lib/storage/errors.ts';
import { storeError } from './errors.ts';
import { createOwnerOnly } from './owner-only.ts';
import type { Row } from './rows.ts';
import { checkTables, prepareSchema } from './schema.ts';
import { WalSync } from './wal-sync.ts';

/** `full` survives a power failure. The others survive a crash of this process. After a power failure, `off` may leave a corrupt file. */
export type SyncMode = 'full' | 'normal' | 'off';

/** Maximum time in ms that a statement waits for another process. It blocks this process meanwhile. */
const BUSY_TIMEOUT = 5_000;
/**
 * Size in pages at which a commit moves the write-ahead log into the file. It is 16 MiB, the maximum before the log's index grows. So on a
 * full disk the log itself fails to grow first, which is harmless.
 */
const CHECKPOINT_PAGES = 4_062;
/** The size of the log in bytes before a checkpoint: each page with its header. */
const LOG_BYTES = 32 + CHECKPOINT_PAGES * (4_096 + 24);

/** Memory for cached pages. Beyond that, the operating system's cache is used. */
const CACHE_KIB = 8_192;
/** Maximum retries of operations for which SQLite does not wait: another process creates the file, or is the last one to close it. */
const TRIES = 200;

/** The settings of a database. */
export interface DatabaseOptions {
  readonly sync: SyncMode;
  /** Maximum time in ms that a statement waits for another process. */
  readonly busyTimeout?: number;
  /** Allows only reads, all of which see the state at the time of opening. Another process may write meanwhile. */
  readonly snapshot?: boolean;
}

/** One connection with its prepared statements. Every method throws StoreError. */
export class Database {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #wal: WalSync | undefined;

  constructor(path: string, { sync, busyTimeout = BUSY_TIMEOUT, snapshot = false }: DatabaseOptions) {
    this.#db = guard(() => {
      if (!snapshot) createOwnerOnly(path);
      return new DatabaseSync(path, { timeout: busyTimeout, readOnly: snapshot });
    });
    this.#wal = sync === 'full' && !snapshot ? new WalSync(path) : undefined;
    try {
      if (snapshot) retryBusy(() => this.#beginSnapshot());
      else this.#beginWrites(sync);
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  /** Keeps rollback data in memory, so that writes and folds need no temporary file or folder. */
  #beginWrites(sync: SyncMode): void {
    retryBusy(() => this.#db.exec('PRAGMA journal_mode = WAL'));
    retryBusy(() => prepareSchema(this.#db));
    guard(() =>
      this.#db.exec(`PRAGMA synchronous = ${sync === 'off' ? 'off' : 'normal'}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
        PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = memory`),
    );
    retryBusy(() => this.transaction(() => this.#wal?.reserve(LOG_BYTES)));
  }

  /** Opens a single transaction for the connection's lifetime. Its first read determines the state that all other reads see. */
  #beginSnapshot(): void {
    if (!this.#db.isTransaction) this.#db.exec('BEGIN');
    checkTables(this.#db);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return guard(() => this.#prepare(sql).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return guard(() => this.#prepare(sql).all(...values));
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return guard(() => Number(this.#prepare(sql).run(...values).changes));
  }

  /** Returns rows in order until they exceed this many bytes, and whether more rows follow. Returns at least one row. */
  some(sql: string, values: SQLInputValue[], limit: { bytes: number; of: readonly string[] }) {
    return guard(() => {
      const rows: Row[] = [];
      let held = 0;
      for (const row of this.#prepare(sql).iterate(...values)) {
        if (held >= limit.bytes) return { rows, more: true };
        rows.push(row);
        for (const column of limit.of) held += sizeOf(row[column]);
      }
      return { rows, more: false };
    });
  }

  /**
   * Runs `work` as one commit. If `work` throws, all its changes are rolled back. If the commit itself fails, the outcome is unknown and
   * the error is Unavailable.
   */
  transaction<T>(work: () => T): T {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.run('ROLLBACK');
      throw storeError(error);
    }
  }

  /** Resolves when all current commits survive the failures that `sync` covers. */
  async durable(): Promise<void> {
    await this.#wal?.durable();
  }

  /** Throws StoreError if `durable` has ever failed, because it cannot succeed again. */
  checkSync(): void {
    this.#wal?.check();
  }

  /** Call this only when no caller waits for durability. */
  close(): void {
    this.#wal?.close();
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #prepare(sql: string): StatementSync {
    if (!this.#db.isOpen) throw new StoreError('Closed', 'the store was closed');
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const sizeOf = (value: unknown): number => (value instanceof Uint8Array ? value.length : 0);

function retryBusy(work: () => void): void {
  for (let left = TRIES; ; left--) {
    try {
      return guard(work);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'Overloaded' || left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error);
  }
}
