import { setImmediate as turn } from 'node:timers/promises';
import { compareKeys } from '#lib/storage/keys.ts';
import type { Extent, Version } from '#lib/storage/sequence.ts';
import type { Database } from './database.ts';
import { itemOf, type StateItem, VALID, versionAt } from './rows.ts';

const WATERMARK = 'SELECT watermark FROM sequence WHERE id = ?';
const ITEM = `SELECT *, ${VALID} FROM item WHERE seq = ? AND key = ?`;
const FROM = `SELECT *, ${VALID} FROM item WHERE seq = ? AND key >= ? ORDER BY key LIMIT ?`;
const BEHIND = `SELECT *, ${VALID} FROM item WHERE seq = ? AND key > ? ORDER BY key LIMIT ?`;
const EXTENT = `
  SELECT count(*) AS objects, coalesce(sum(length(body)), 0) AS bytes FROM item WHERE seq = ? AND key BETWEEN ? AND ?`;
/** Sorts above every key that begins with the text before it. */
const LAST = '\u{10ffff}';

const PAGE = { rows: 200, bytes: 1024 * 1024 };

/** The checkpointed items of one sequence. */
export class State {
  readonly #db: Database;
  readonly #seq: number;

  constructor(db: Database, seq: number) {
    this.#db = db;
    this.#seq = seq;
  }

  watermark(): Version {
    return versionAt(this.#db.get(WATERMARK, this.#seq) ?? {}, 'watermark');
  }

  read(key: string): StateItem | undefined {
    const row = this.#db.get(ITEM, this.#seq, key);
    return row === undefined ? undefined : itemOf(row);
  }

  /** The size of the items under a prefix. */
  extent(prefix: string): Extent {
    const from = this.watermark();
    const row = this.#db.get(EXTENT, this.#seq, prefix, prefix + LAST) ?? {};
    return { from, objects: versionAt(row, 'objects'), bytes: versionAt(row, 'bytes') };
  }

  /**
   * Yields items. Pages are read separately, and other work runs in between, so a later page may be newer. Keys are compared as UTF-8
   * bytes, so the keys of a prefix are adjacent.
   */
  async *entries(prefix: string, start = ''): AsyncGenerator<StateItem, void> {
    let sql = FROM;
    for (let at = compareKeys(start, prefix) < 0 ? prefix : start; ; sql = BEHIND) {
      const { rows, more } = this.#db.some(sql, [this.#seq, at, PAGE.rows], { bytes: PAGE.bytes, of: ['body'] });
      for (const row of rows) {
        const item = itemOf(row);
        if (!item.key.startsWith(prefix)) return;
        yield item;
        at = item.key;
      }
      if (!more && rows.length < PAGE.rows) return;
      await turn();
    }
  }
}
