import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { Birth } from './birth.ts';
import type { EntryPage, Log } from './log.ts';
import type { Marks } from './marks.ts';
import { type Moment, momentOf, type Proof } from './proof.ts';

/** A version above every position: 2^53 − 1. */
const TOP: Version = Number.MAX_SAFE_INTEGER;
const TAIL_ENTRIES = 1_000;

/** Finds the last position of a log and proves it. */
export class Head {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #proof: Proof;
  readonly #marks: Marks;
  readonly #birth: Birth;

  constructor(clock: Clock, log: Log, { proof, marks, birth }: { proof: Proof; marks: Marks; birth: Birth }) {
    this.#clock = clock;
    this.#log = log;
    this.#proof = proof;
    this.#marks = marks;
    this.#birth = birth;
  }

  /** Returns the last position, found with a consistent query from the last known position. Creates the sequence if it does not exist. */
  async prove(): Promise<Version> {
    const end = this.#proof.end;
    const head = end === undefined ? await this.#find() : await this.#follow(end);
    if (this.#log.sealedAt(head)) throw new StoreError('Unavailable', 'a new epoch is being prepared');
    return head;
  }

  /** Updates the proof from a page that was requested at `at`. */
  learn(page: EntryPage, { after, at, consistent }: { after: Version; at: Moment; consistent: boolean }): void {
    const last = page.entries.at(-1)?.last;
    if (last !== undefined) this.#proof.saw(last);
    if (consistent && !page.more) this.#proof.prove(last ?? after, at);
  }

  async #follow(end: Version): Promise<Version> {
    let after = end;
    for (;;) {
      const at = momentOf(this.#clock);
      const page = await this.#tail(after);
      if (page === undefined) return this.#find();
      this.learn(page, { after, at, consistent: true });
      after = page.entries.at(-1)?.last ?? after;
      if (!page.more) return after;
    }
  }

  /** Undefined if the following entries were dropped, because this process was suspended for longer than the retention. */
  async #tail(after: Version): Promise<EntryPage | undefined> {
    try {
      return await this.#log.after(after, { limit: TAIL_ENTRIES, consistent: true });
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'Expired') throw error;
      return undefined;
    }
  }

  /**
   * Finds the head. A log is never empty after its creation. An empty log counts as lost only if the watermark had moved *before* the log
   * was read. In the opposite order, a process suspended between the two reads would mistake another process's creation for a loss.
   */
  async #find(): Promise<Version> {
    for (let moved: Version = 0; ; ) {
      const at = momentOf(this.#clock);
      const entry = await this.#log.before(TOP, { consistent: true });
      if (entry !== undefined) {
        this.#proof.prove(entry.last, at);
        return entry.last;
      }
      if (moved > 0) throw new StoreError('Corrupt', 'the log is lost', { head: moved });
      moved = (await this.#marks.watermark()) ?? 0;
      if (moved === 0) await this.#birth.give(at);
    }
  }
}
