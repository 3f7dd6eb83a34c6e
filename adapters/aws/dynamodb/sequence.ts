import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { checkProposals } from '#lib/storage/limits.ts';
import type {
  AppendResult,
  Change,
  Extent,
  LogPage,
  Proposal,
  Sequence,
  Snapshot,
  SnapshotOptions,
  StateEntry,
  Version,
} from '#lib/storage/sequence.ts';
import { Append } from './append.ts';
import { Birth } from './birth.ts';
import { Checkpoint } from './checkpoint.ts';
import { Chunks } from './chunks.ts';
import { type Draft, draftEntry, entryChanges } from './entry.ts';
import { raiseEpoch } from './epoch.ts';
import { storeError } from './faults.ts';
import { Head } from './head.ts';
import { checkKey, type Partitions, partitions } from './layout.ts';
import { type EntryPage, Log } from './log.ts';
import { born, Marks } from './marks.ts';
import type { Options } from './options.ts';
import type { Table } from './port.ts';
import { momentOf, Proof } from './proof.ts';
import { retryingClient } from './retry.ts';
import { State } from './state.ts';
import { Throttle } from './throttle.ts';

/** Maximum number of times that an append proves the head before it fails. */
const PROOFS = 5;

/** One log in the table. A process has one instance per name, which caches the head and the time of its proof. */
export class DynamoSequence implements Sequence {
  readonly marks: Marks;
  readonly #clock: Clock;
  readonly #where: Partitions;
  readonly #proof: Proof;
  readonly #log: Log;
  readonly #head: Head;
  readonly #birth: Birth;
  readonly #append: Append;
  readonly #chunks: Chunks;
  readonly #state: State;
  readonly #checkpoint: Checkpoint;
  readonly #throttle: Throttle;
  readonly #table: Table;
  #compacting: Promise<Version> | undefined;
  #closed = false;

  constructor(name: string, table: Table, options: Options) {
    const { clock, proofAge, retention, lag, outline } = options;
    const where = partitions(name);
    const safe = retryingClient(table, clock);
    this.#clock = clock;
    this.#where = where;
    this.#table = safe;
    this.#proof = new Proof(clock, proofAge);
    this.#log = new Log(safe, where);
    this.#chunks = new Chunks(safe, clock);
    this.marks = new Marks(safe, where);
    this.#state = new State(safe, this.#chunks, { clock, where, outline });
    this.#birth = new Birth(safe, this.marks, { name, where, clock });
    this.#head = new Head(clock, this.#log, { proof: this.#proof, marks: this.marks, birth: this.#birth });
    this.#append = new Append(clock, table, { log: this.#log, proof: this.#proof, chunks: this.#chunks, where });
    const parts = { table: safe, log: this.#log, state: this.#state, marks: this.marks, chunks: this.#chunks };
    this.#checkpoint = new Checkpoint(parts, { clock, where, retention });
    this.#throttle = new Throttle(clock, lag(name), {
      watermark: async () => born(await this.marks.watermark()),
      checkpoint: () => this.#advance(),
    });
  }

  head(): Promise<Version> {
    return this.#run(() => this.#head.prove());
  }

  readLog(after: Version, options: { limit: number; consistent: boolean }): Promise<LogPage> {
    return this.#run(async () => {
      if (this.#proof.end === undefined) await this.#head.prove();
      const at = momentOf(this.#clock);
      const page = await this.#log.after(after, options);
      this.#head.learn(page, { after, at, consistent: options.consistent });
      if (this.#log.sealedAt(after)) throw new StoreError('Expired', `the epoch of ${after} has ended`);
      return this.#changes(page, after, options.limit);
    });
  }

  /** The changes after `after`, at most `limit`. A page stops at the end of an epoch. */
  async #changes({ entries, more }: EntryPage, after: Version, limit: number): Promise<LogPage> {
    const changes: Change[] = [];
    let last = after;
    for (const entry of entries) {
      if (entry.sealed && last === after) throw new StoreError('Expired', `the epoch of ${after} has ended`);
      if (entry.sealed || changes.length >= limit) return { changes, last, more: true };
      const unread = (await entryChanges(entry, this.#chunks)).filter((change) => change.version > after);
      const taken = unread.slice(0, limit - changes.length);
      changes.push(...taken);
      if (taken.length < unread.length) return { changes, last: changes.at(-1)?.version ?? last, more: true };
      last = entry.last;
    }
    return { changes, last, more };
  }

  /** Reads the watermark before the index. In the other order, the index could lack changes that are already folded. */
  snapshot(options: SnapshotOptions): Promise<Snapshot> {
    return this.#run(async () => ({ from: await this.#watermark(), entries: this.#state.entries(options) }));
  }

  extent(prefix: string): Promise<Extent | undefined> {
    return this.#run(async () => {
      const from = await this.#watermark();
      const held = await this.#state.extent(prefix);
      return held && { from, ...held };
    });
  }

  /** Reads the watermark before the item. In the other order, the item could lack changes up to the watermark. */
  read(key: string): Promise<{ from: Version; item?: StateEntry }> {
    return this.#run(async () => {
      const from = await this.#watermark();
      const item = await this.#state.read(key);
      return item === undefined ? { from } : { from, item };
    });
  }

  async #watermark(): Promise<Version> {
    const watermark = await this.marks.watermark();
    if (watermark !== undefined) return watermark;
    await this.#head.prove();
    return born(await this.marks.watermark());
  }

  append(after: Version, proposals: readonly Proposal[], { nonce }: { nonce: string }): Promise<AppendResult> {
    return this.#run(async () => {
      checkProposals(after, proposals);
      for (const { key } of proposals) checkKey(key);
      let draft: Draft | undefined;
      let doubt: unknown;
      for (let round = 0; round < PROOFS; round += 1) {
        const end = await this.#endFor(after);
        if (after > end) throw new StoreError('FutureVersion', `position ${after} is above the head`, { head: end });
        if (after < end) return this.#lost(after, { nonce, doubt });
        await this.#throttle.admit(end);
        draft ??= await draftEntry(proposals, { nonce, chunks: this.#chunks, where: this.#where });
        const result = await this.#append.put(draft, after);
        if (!('doubt' in result)) return result;
        doubt ??= result.doubt;
      }
      throw new StoreError('Unavailable', 'proofs of the head grow old before they can be used');
    });
  }

  /** The last known position. Proves it again if the proof is old or the position is before `after`. */
  async #endFor(after: Version): Promise<Version> {
    const end = this.#proof.end;
    const usable = this.#proof.fresh() !== undefined && end !== undefined && end >= after && !this.#log.sealedAt(end);
    return usable ? end : this.#head.prove();
  }

  /**
   * The result of an append whose position is occupied, dropped or inside an entry. A dropped entry may have been this process's own. So
   * with a `doubt`, Expired would be wrong: the caller would assume that its append failed, and retry.
   */
  async #lost(after: Version, { nonce, doubt }: { nonce: string; doubt: unknown }): Promise<AppendResult> {
    const entry = await this.#log.at(after + 1);
    if (entry !== undefined) return this.#append.outcome(nonce, entry);
    const around = await this.#log.before(after, { consistent: true });
    if (around !== undefined && around.last > after) return { ok: false, last: around.last };
    if (doubt !== undefined) throw storeError(doubt);
    throw new StoreError('Expired', `the log no longer holds what follows ${after}`);
  }

  compact(): Promise<Version> {
    return this.#run(async () => {
      const watermark = await this.#advance();
      await this.#checkpoint.drop(watermark);
      return watermark;
    });
  }

  /** Runs one checkpoint at a time. A second caller gets the promise of the running one. */
  #advance(): Promise<Version> {
    this.#compacting ??= this.#head
      .prove()
      .then((head) => this.#checkpoint.advance(head))
      .then((watermark) => this.#throttle.saw(watermark))
      .finally(() => {
        this.#compacting = undefined;
      });
    return this.#compacting;
  }

  positionBefore(time: number): Promise<Version> {
    return this.#run(async () => (await this.#log.beforeTime(time)) ?? this.#head.prove());
  }

  /** Ends the epoch of a restored table. It must run before the first request, while no other process is active. */
  raiseEpoch(): Promise<Version> {
    return this.#run(async () => {
      await this.#watermark();
      this.#proof.reset();
      const { marks } = this;
      const parts = { table: this.#table, log: this.#log, marks, birth: this.#birth, checkpoint: this.#checkpoint };
      return raiseEpoch(parts, { where: this.#where, clock: this.#clock });
    });
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new StoreError('Closed', 'the sequence was closed');
    try {
      return await work();
    } catch (error) {
      if (error instanceof TypeError) throw error;
      throw storeError(error);
    }
  }

  /** Waits for a running checkpoint. Its failure only affects its callers. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#compacting?.catch(() => undefined);
  }
}
