import { setImmediate as turn } from 'node:timers/promises';
import type { RetentionAt } from '#lib/storage/retention.ts';
import { nextEpoch, type Version } from '#lib/storage/sequence.ts';
import type { Database } from './database.ts';
import { versionAt } from './rows.ts';
import { FORMAT } from './schema.ts';

const WATERMARK = 'SELECT watermark FROM sequence WHERE id = ?';
const MOVE_WATERMARK = 'UPDATE sequence SET watermark = ?2 WHERE id = ?1';
const SIZES = `
  SELECT version, coalesce(length(body), 0) AS size FROM log
  WHERE seq = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?`;
/** Selects the last change of each key. SQLite takes `type` from the row with the greatest version. */
const LAST = `
  SELECT key, type, max(version) AS version FROM log
  WHERE seq = ?1 AND version > ?2 AND version <= ?3 AND key IS NOT NULL GROUP BY key`;
const FOLD = `
  INSERT INTO item (seq, key, version, format, body)
  SELECT ?1, last.key, last.version, log.format, log.body
  FROM (${LAST}) AS last JOIN log ON log.seq = ?1 AND log.version = last.version WHERE last.type <> 'DELETED'
  ON CONFLICT (seq, key) DO UPDATE SET version = excluded.version, format = excluded.format, body = excluded.body`;
const FOLD_DELETED = `
  DELETE FROM item WHERE seq = ?1 AND key IN (SELECT key FROM (${LAST}) WHERE type = 'DELETED')`;
const DROP = `
  DELETE FROM log WHERE seq = ?1 AND version IN (SELECT version FROM log WHERE seq = ?1 AND version <= ?2 LIMIT ?3)`;
const HEAD = 'SELECT version, first FROM log WHERE seq = ? ORDER BY version DESC LIMIT 1';
/** Selects the oldest version that `isRetained` keeps. */
const OLDEST_KEPT = 'SELECT version FROM log WHERE seq = ? AND time BETWEEN ? AND ? ORDER BY version LIMIT 1';
const OLDEST_CURSOR = 'SELECT min(version) AS version FROM cursor WHERE seq = ?';
const BIRTH = `
  INSERT INTO log (seq, version, first, time, format, nonce) VALUES (?1, ?2, ?2, ?3, ${FORMAT}, 'birth')`;

const STEP = { rows: 200, bytes: 4 * 1024 * 1024 };

/** Folds one log into its state and drops old entries. It works in steps, between which others can write. */
export class Compaction {
  readonly #db: Database;
  readonly #seq: number;

  constructor(db: Database, seq: number) {
    this.#db = db;
    this.#seq = seq;
  }

  /** Moves the watermark to `target` or beyond. One commit contains both the state and the watermark. */
  async fold(target: Version): Promise<Version> {
    for (;;) {
      const watermark = this.#watermark();
      if (watermark >= target) return watermark;
      this.#db.transaction(() => this.#foldStep(this.#watermark(), target));
      await turn();
    }
  }

  /** Deletes entries, oldest first. A deleted entry is old and folded, no cursor still needs it, and it is not the last one. */
  async drop(at: RetentionAt): Promise<void> {
    const bound = this.#bound(at);
    for (let dropped = STEP.rows; dropped === STEP.rows; await turn()) {
      dropped = this.#db.run(DROP, this.#seq, bound, STEP.rows);
    }
  }

  raiseEpoch(now: number): Version {
    return this.#db.transaction(() => {
      for (const head = this.#head(); this.#watermark() < head.version; )
        this.#foldStep(this.#watermark(), head.version);
      const first = nextEpoch(this.#head().version);
      this.#db.run('DELETE FROM log WHERE seq = ?', this.#seq);
      this.#db.run(BIRTH, this.#seq, first, now);
      this.#db.run(MOVE_WATERMARK, this.#seq, first);
      this.#db.run('UPDATE cursor SET version = 0 WHERE seq = ?1', this.#seq);
      return first;
    });
  }

  #foldStep(watermark: Version, target: Version): void {
    const to = this.#stepEnd(watermark, target);
    if (to === undefined) return;
    this.#db.run(FOLD, this.#seq, watermark, to);
    this.#db.run(FOLD_DELETED, this.#seq, watermark, to);
    this.#db.run(MOVE_WATERMARK, this.#seq, to);
  }

  #stepEnd(watermark: Version, target: Version): Version | undefined {
    let end: Version | undefined;
    let bytes = 0;
    for (const row of this.#db.all(SIZES, this.#seq, watermark, target, STEP.rows)) {
      end = versionAt(row, 'version');
      bytes += versionAt(row, 'size');
      if (bytes >= STEP.bytes) break;
    }
    return end;
  }

  #bound({ now, retention }: RetentionAt): Version {
    const kept = this.#db.get(OLDEST_KEPT, this.#seq, now - retention, now + retention)?.['version'] ?? Infinity;
    const cursor = this.#db.get(OLDEST_CURSOR, this.#seq)?.['version'] ?? Infinity;
    return Math.min(Number(kept) - 1, Number(cursor), this.#watermark(), this.#head().first - 1);
  }

  #head(): { version: Version; first: Version } {
    const row = this.#db.get(HEAD, this.#seq) ?? {};
    return { version: versionAt(row, 'version'), first: versionAt(row, 'first') };
  }

  #watermark(): Version {
    return versionAt(this.#db.get(WATERMARK, this.#seq) ?? {}, 'watermark');
  }
}
