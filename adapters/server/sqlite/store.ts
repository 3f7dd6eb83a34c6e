import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { Committer } from './committer.ts';
import { Database, type SyncMode } from './database.ts';
import { faultsOf, pageFaultsOf } from './faults.ts';
import { textAt, versionAt } from './rows.ts';
import { SqliteSequence } from './sequence.ts';

const HOUR = 60 * 60 * 1000;

/** The file and settings of a store. */
export interface SqliteOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly sync?: SyncMode;
  /** Minimum time in ms that an entry is kept. */
  readonly retention?: number;
  /** Allows only reads, all of which see the state at the time of opening, while another process may write. */
  readonly snapshot?: boolean;
}

/** The sequences of one file, which other processes may have open as well. Throws StoreError if the file cannot be opened. */
export class SqliteStore implements SequenceStore {
  readonly #db: Database;
  readonly #committer: Committer;
  readonly #options: SqliteOptions;
  readonly #sequences = new Map<string, SqliteSequence>();
  #closed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
    const { path, sync = 'full', snapshot = false } = options;
    this.#db = new Database(path, { sync, snapshot });
    this.#committer = new Committer(this.#db);
  }

  sequence(name: string): SqliteSequence {
    if (this.#closed) throw new StoreError('Closed', 'the store was closed');
    const { clock, retention = HOUR } = this.#options;
    const parts = { db: this.#db, committer: this.#committer, clock, retention };
    const sequence = this.#sequences.get(name) ?? new SqliteSequence(name, parts);
    this.#sequences.set(name, sequence);
    return sequence;
  }

  /** The error of the last commit. Undefined if it succeeded. */
  get failure(): StoreError | undefined {
    return this.#committer.failure;
  }

  /** A commit without changes, which takes one page of the log. Throws StoreError. */
  touch(): Promise<void> {
    return this.#committer.touch();
  }

  /** Throws StoreError if the log could not be written to disk at any time. Only a restart helps. */
  checkSync(): void {
    this.#db.checkSync();
  }

  /** The number of the file's owner, which `giveTo` has set. 0 without an owner. Throws StoreError. */
  get owner(): number {
    return versionAt(this.#db.get('PRAGMA application_id') ?? {}, 'application_id');
  }

  /** Assigns the file to the owner with this number, a positive int32. Throws StoreError. */
  giveTo(owner: number): void {
    this.#db.run(`PRAGMA application_id = ${owner}`);
  }

  /** Yields a line for each fault of the file, without bodies. */
  faults(): Iterable<string> {
    return faultsOf(this.#db);
  }

  /** Yields a line for each fault of the file's pages. */
  pageFaults(): Iterable<string> {
    return pageFaultsOf(this.#db);
  }

  async names(): Promise<string[]> {
    return this.#db.all('SELECT name FROM sequence ORDER BY name').map((row) => textAt(row, 'name'));
  }

  /** Commits the waiting jobs, then closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const sequence of this.#sequences.values()) await sequence.close();
    await this.#committer.flush();
    this.#db.close();
  }
}
