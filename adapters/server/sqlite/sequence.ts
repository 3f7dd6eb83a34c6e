import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { checkProposals } from '#lib/storage/limits.ts';
import type {
  AppendResult,
  Cursors,
  Extent,
  LogPage,
  Proposal,
  Sequence,
  Snapshot,
  Version,
} from '#lib/storage/sequence.ts';
import type { Committer } from './committer.ts';
import { Compaction } from './compaction.ts';
import type { Database } from './database.ts';
import { Log } from './log.ts';
import { cursorsOf } from './marks.ts';
import { type StateItem, versionAt } from './rows.ts';
import { FORMAT } from './schema.ts';
import { State } from './state.ts';

const ID = 'SELECT id FROM sequence WHERE name = ?';
const CREATE = 'INSERT INTO sequence (name, watermark) VALUES (?, 1) ON CONFLICT DO NOTHING';
const BIRTH = `
  INSERT INTO log (seq, version, first, time, format, nonce)
  SELECT id, 1, 1, ?2, ${FORMAT}, 'birth' FROM sequence WHERE name = ?1`;

/** The database and settings of a sequence. */
export interface SqliteSequenceOptions {
  readonly db: Database;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly retention: number;
}

interface Parts {
  readonly seq: number;
  readonly log: Log;
  readonly state: State;
  readonly compaction: Compaction;
}

/** One log in the file. It is created on first use and then identified by a number in every row. */
export class SqliteSequence implements Sequence {
  readonly marks: Cursors;
  readonly #name: string;
  readonly #options: SqliteSequenceOptions;
  #parts: Parts | undefined;
  #closed = false;

  constructor(name: string, options: SqliteSequenceOptions) {
    this.#name = name;
    this.#options = options;
    this.marks = cursorsOf(options.db, () => this.#open().seq);
  }

  async head(): Promise<Version> {
    return this.#open().log.head();
  }

  async readLog(after: Version, options: { limit: number; consistent: boolean }): Promise<LogPage> {
    return this.#open().log.read(after, options);
  }

  async snapshot({ prefix, start }: { prefix: string; start?: string }): Promise<Snapshot> {
    const { state } = this.#open();
    return { from: state.watermark(), entries: state.entries(prefix, start) };
  }

  async extent(prefix: string): Promise<Extent> {
    return this.#open().state.extent(prefix);
  }

  async read(key: string): Promise<{ from: Version; item?: StateItem }> {
    const { state } = this.#open();
    const from = state.watermark();
    const item = state.read(key);
    return item === undefined ? { from } : { from, item };
  }

  async append(after: Version, proposals: readonly Proposal[], { nonce }: { nonce: string }): Promise<AppendResult> {
    const { log } = this.#open();
    checkProposals(after, proposals);
    return log.append(after, { nonce, time: this.#options.clock.now(), proposals });
  }

  async compact(): Promise<Version> {
    const { log, compaction } = this.#open();
    const watermark = await compaction.fold(log.head());
    await compaction.drop({ now: this.#options.clock.now(), retention: this.#options.retention });
    return watermark;
  }

  async positionBefore(time: number): Promise<Version> {
    return this.#open().log.before(time);
  }

  async raiseEpoch(): Promise<Version> {
    const first = this.#open().compaction.raiseEpoch(this.#options.clock.now());
    await this.#options.db.durable();
    return first;
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #open(): Parts {
    if (this.#closed) throw new StoreError('Closed', 'the sequence was closed');
    this.#parts ??= this.#partsOf(this.#id());
    return this.#parts;
  }

  #partsOf(seq: number): Parts {
    const { db, committer } = this.#options;
    return { seq, log: new Log(db, committer, seq), state: new State(db, seq), compaction: new Compaction(db, seq) };
  }

  #id(): number {
    const { db, clock } = this.#options;
    const known = db.get(ID, this.#name);
    if (known !== undefined) return versionAt(known, 'id');
    return db.transaction(() => {
      if (db.run(CREATE, this.#name) === 1) db.run(BIRTH, this.#name, clock.now());
      return versionAt(db.get(ID, this.#name) ?? {}, 'id');
    });
  }
}
