import { StoreError } from '#lib/storage/errors.ts';
import type { AppendResult, Change, LogPage, Proposal, Version } from '#lib/storage/sequence.ts';
import { stamp } from '#lib/storage/stamp.ts';
import type { Committer } from './committer.ts';
import type { Database } from './database.ts';
import { changeOf, encodeMeta, type Row, textAt, VALID, versionAt } from './rows.ts';
import { FORMAT } from './schema.ts';

const HEAD = 'SELECT version FROM log WHERE seq = ? ORDER BY version DESC LIMIT 1';
const BEHIND = `SELECT *, ${VALID} FROM log WHERE seq = ? AND version > ? ORDER BY version LIMIT ?`;
const SINCE = 'SELECT version FROM log WHERE seq = ? AND time >= ? ORDER BY version LIMIT 1';
const AT = 'SELECT * FROM log WHERE seq = ? AND version = ?';
/** The rows of one entry are adjacent. */
const ENTRY = 'SELECT * FROM log WHERE seq = ? AND version BETWEEN ? AND ? + 63 AND first = ? ORDER BY version';
/** The compare-and-swap: the row is added directly after the head, or not at all. */
const INSERT = `
  INSERT INTO log (seq, version, first, time, format, nonce, key, type, meta, body, previous)
  SELECT ?1, ?2, ?3, ?4, ${FORMAT}, ?5, ?6, ?7, ?8, ?9, ?10
  WHERE (SELECT version FROM log WHERE seq = ?1 ORDER BY version DESC LIMIT 1) = ?2 - 1`;

/** A page of the log ends once it holds this many bytes. */
const PAGE_BYTES = 16 * 1024 * 1024;

/** An entry of the log. `time` is in milliseconds since 1970. */
export interface Entry {
  readonly nonce: string;
  readonly time: number;
  readonly proposals: readonly Proposal[];
}

/** The log of one sequence. `readLog` returns positions up to the first gap. Drops start at the oldest entry. */
export class Log {
  readonly #db: Database;
  readonly #committer: Committer;
  readonly #seq: number;

  constructor(db: Database, committer: Committer, seq: number) {
    this.#db = db;
    this.#committer = committer;
    this.#seq = seq;
  }

  head(): Version {
    const row = this.#db.get(HEAD, this.#seq);
    if (row === undefined) throw new StoreError('Corrupt', 'a log is empty');
    return versionAt(row, 'version');
  }

  before(time: number): Version {
    const row = this.#db.get(SINCE, this.#seq, time);
    return row === undefined ? this.head() : versionAt(row, 'version') - 1;
  }

  read(after: Version, { limit, consistent }: { limit: number; consistent: boolean }): LogPage {
    const bound = { bytes: PAGE_BYTES, of: ['body', 'previous'] };
    const { rows, more } = this.#db.some(BEHIND, [this.#seq, after, limit + 1], bound);
    if (rows.length === 0) return this.#end(after, consistent);
    rows.forEach((row, i) => {
      if (versionAt(row, 'version') !== after + 1 + i) throw expired(after);
    });
    const taken = rows.slice(0, limit);
    return { changes: changesOf(taken), last: after + taken.length, more: more || rows.length > limit };
  }

  #end(after: Version, consistent: boolean): LogPage {
    const head = this.head();
    if (consistent && after > head) throw above(after, head);
    return { changes: [], last: after, more: false };
  }

  async append(after: Version, entry: Entry): Promise<AppendResult> {
    const [first, last] = [after + 1, after + Math.max(entry.proposals.length, 1)];
    const rows = rowsOf(this.#seq, first, entry);
    const insert = (): boolean => rows.every((row) => this.#db.run(INSERT, ...row) === 1);
    const isDone = await this.#committer.commit(insert, { isSingle: rows.length === 1 });
    return isDone ? { ok: true, first, last } : this.#lost(after, entry.nonce);
  }

  /** The reason why the position after `after` was not free. An entry with the caller's own nonce is an earlier success. */
  #lost(after: Version, nonce: string): AppendResult {
    const taken = this.#db.get(AT, this.#seq, after + 1);
    if (taken === undefined) {
      const head = this.head();
      throw after > head ? above(after, head) : expired(after);
    }
    const first = versionAt(taken, 'first');
    const rows = this.#db.all(ENTRY, this.#seq, after + 1, first, first);
    const last = after + rows.length;
    if (textAt(taken, 'nonce') === nonce && first === after + 1) return { ok: true, first, last };
    return { ok: false, winner: changesOf(rows), last };
  }
}

/** The values of INSERT for each row of an entry. */
function rowsOf(seq: number, first: Version, { nonce, time, proposals }: Entry) {
  if (proposals.length === 0) return [[seq, first, first, time, nonce, null, null, null, null, null]];
  return proposals.map((proposal, i) => {
    const { key, type, body, previousBody = null } = proposal;
    const version = first + i;
    const stamped = stamp(body, version);
    return [seq, version, first, time, nonce, key, type, encodeMeta(proposal), stamped, previousBody];
  });
}

const changesOf = (rows: readonly Row[]): Change[] => rows.map(changeOf).filter((change) => change !== undefined);

const expired = (after: Version): StoreError =>
  new StoreError('Expired', `the log no longer holds what follows ${after}`);

const above = (after: Version, head: Version): StoreError =>
  new StoreError('FutureVersion', `position ${after} is above the head`, { head });
