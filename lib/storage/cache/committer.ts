import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { StoreError } from '../errors.ts';
import { MAX_CHANGES } from '../limits.ts';
import type { AppendResult, Change, Sequence } from '../sequence.ts';
import type { MutationResult, Outcome, StoredObject } from '../storage.ts';
import { type Batch, draft, type PendingWrite, pending } from './batch.ts';
import type { Follower } from './follower.ts';

/** The maximum number of queued mutations in a process. */
const MAX_QUEUE = 5_000;
/** The time in ms after which a mutation that keeps losing its position is rejected, so that others proceed. Its client retries later. */
const MAX_WAIT = 2_000;
/** The maximum age in ms of the proof of the head. If it is older, an append reads the head first. */
const MAX_PROOF_AGE = 30_000;
const SENDS = 4;
/** The delay before an append is sent again, in ms. */
const RESEND = { duration: 50, factor: 2 };

/** The ports of a committer. `nonce` returns an id for each append, which identifies repetitions. */
export interface CommitterOptions {
  readonly sequence: Sequence;
  readonly follower: Follower;
  readonly clock: Clock;
  readonly nonce: () => string;
}

/** Group commit: the mutations that arrive during an append share the next append. */
export class Committer {
  readonly #options: CommitterOptions;
  readonly #queue: PendingWrite[] = [];
  #isRunning = false;
  #isClosed = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  commit<T>(key: string, fn: (current: StoredObject | undefined) => Outcome<T>): Promise<MutationResult<T>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new StoreError('Closed', 'the cache is closed'));
      if (this.#queue.length >= MAX_QUEUE) return reject(new StoreError('Overloaded', 'too many writes are waiting'));
      this.#queue.push(pending(key, this.#options.clock.monotonic(), fn, resolve, reject));
      if (!this.#isRunning) void this.#run();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(new StoreError('Closed', 'the cache is closed'));
  }

  /** Never rejects. Each failure goes to the affected mutations. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      const group = this.#queue.splice(0, MAX_CHANGES);
      try {
        const taken = await this.#commitGroup(group);
        this.#queue.unshift(...group.slice(taken));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      this.#options.follower.replica.releaseAll();
    }
    this.#isRunning = false;
  }

  /** Commits one entry. Returns the number of mutations in the group that are now settled. */
  async #commitGroup(group: readonly PendingWrite[]): Promise<number> {
    const { follower, clock } = this.#options;
    const { replica } = follower;
    const keys = new Set(group.map(({ key }) => key));
    let isProven = follower.isSure;
    for (let lost = 0; ; ) {
      if (!follower.isSure && (lost > 1 || follower.proof.age() > MAX_PROOF_AGE)) {
        await follower.fresh();
        isProven = true;
      }
      while (!replica.knows(keys)) await follower.hold(keys);
      const batch = this.#draft(group);
      const isEmpty = batch.changes.length === 0;
      if (isEmpty ? isProven : await this.#append(batch)) {
        batch.settle();
        return batch.taken;
      }
      if (isEmpty) {
        await follower.fresh();
        isProven = true;
      } else if (++lost > 1 && clock.monotonic() - (group[0]?.arrived ?? 0) > MAX_WAIT) {
        throw new StoreError('Overloaded', 'other writers took every position for too long');
      }
    }
  }

  #draft(group: readonly PendingWrite[]): Batch {
    const { replica, proof } = this.#options.follower;
    return draft(group, {
      head: replica.head,
      lookup: (key) => replica.lookup(key),
      isYoung: (version) => proof.isYoung(version),
    });
  }

  /** Returns false if another writer took the position or it is compacted. In both cases, the head has moved. */
  async #append({ changes, objects }: Batch): Promise<boolean> {
    const { follower } = this.#options;
    const after = follower.replica.head;
    const started = follower.proof.now();
    const result = await this.#send(after, changes);
    if (result === 'expired') {
      follower.reset();
    } else if (!result.ok) {
      await follower.admitWinner(after, result);
    } else {
      await follower.admitOwn({ after, changes, objects, last: result.last }, started);
      return true;
    }
    return false;
  }

  /** Repeats an append until its result is known. The nonce lets the sequence recognize repetitions. */
  async #send(after: number, changes: readonly Change[]): Promise<AppendResult | 'expired'> {
    const { sequence, clock, follower } = this.#options;
    const nonce = this.#options.nonce();
    let doubted: StoreError | undefined;
    for (let sent = 1; ; sent++) {
      try {
        return await sequence.append(after, changes, { nonce });
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        if (error.code !== 'Unavailable') {
          if (doubted !== undefined) throw doubted;
          if (error.code === 'Expired' || error.code === 'FutureVersion') return 'expired';
          throw error;
        }
        doubted = error;
        follower.doubt();
        if (sent === SENDS) throw error;
        await clock.sleep(delayAfter(sent, RESEND));
      }
    }
  }
}
