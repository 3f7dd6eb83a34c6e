import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '../errors.ts';
import type { AppendResult, Sequence, Version } from '../sequence.ts';
import type { StoredObject } from '../storage.ts';
import type { Summarize } from './item.ts';
import { type LogRead, readKey, readPrevious } from './log-reader.ts';
import { type Instant, Proof } from './proof.ts';
import { type Page, Replica } from './replica.ts';
import { SingleFlight } from './single-flight.ts';
import { WatchHub } from './watch-hub.ts';

const PAGE = 1_000;

/** The ports of a follower. */
export interface FollowerOptions {
  readonly sequence: Sequence;
  readonly clock: Clock;
  readonly summarize: Summarize;
  /** Whether no other process writes. The applied head is then always the head of the log. */
  readonly exclusive: boolean;
  /** The time in ms for which the log keeps checkpointed entries. */
  readonly retention: number;
  /** Called when the first watcher starts and when the last one ends. */
  readonly onActive: (active: boolean) => void;
  /** Optional. Called after the loaded objects were dropped because there were more changes than objects. */
  readonly onLeftBehind?: () => void;
  /** Called after changes were applied. */
  readonly onApplied: () => void;
}

/** Follows one log: brings the replica to its head, and tracks how recently the head was proven. */
export class Follower {
  readonly replica: Replica;
  readonly proof: Proof;
  readonly hub: WatchHub;
  readonly #options: FollowerOptions;
  readonly #tail = new SingleFlight(() => this.#follow(true));
  /** The number of appends with unknown results. `#settled` counts those that a query has settled since. */
  #doubts = 0;
  #settled = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.hub = new WatchHub(options.onActive);
    this.replica = new Replica(this.hub, options.clock);
    this.proof = new Proof(options.clock, options.retention);
  }

  /** Whether the applied head is the head of the log: no other process writes, and every own append has a known result. */
  get isSure(): boolean {
    return this.#options.exclusive && this.replica.head !== 0 && this.#doubts === this.#settled;
  }

  /** Brings the replica to the head at some moment after the call, or after `since` if given. */
  async fresh(since?: Instant): Promise<void> {
    if (this.isSure || (since !== undefined && this.proof.isSince(since))) return;
    await this.query();
  }

  /** Like `fresh`, but always reads the sequence. */
  query(): Promise<void> {
    return this.#tail.run();
  }

  /** Applies the changes that an eventually consistent read returns. */
  poll(): Promise<void> {
    return this.#follow(false);
  }

  /** Records that an append may have happened without a response. */
  doubt(): void {
    this.#doubts++;
  }

  /** Drops the replica. Its watchers end and resume from their versions. */
  reset(): void {
    this.replica.reset();
    this.proof.clear();
    this.hub.endAll();
    this.#options.onApplied();
  }

  /** Reads the head if it is unknown. */
  async begin(): Promise<void> {
    const { replica, proof } = this;
    const options = this.#options;
    const started = proof.now();
    const head = await options.sequence.head();
    if (replica.head !== 0) return;
    replica.begin(head);
    proof.record(head, started);
  }

  /** Loads the current state of these keys into the replica. If the replica is reset meanwhile, the keys are not held. */
  async hold(keys: ReadonlySet<string>): Promise<void> {
    const { replica } = this;
    const { sequence, summarize } = this.#options;
    if (replica.head === 0) await this.begin();
    const positions = await Promise.all([...keys].map((key) => replica.hold(sequence, key, summarize)));
    if (replica.head < Math.max(...positions)) await this.query();
  }

  /** Reads the current state of a key from the store. Keeps the result and its proof for later writes. */
  async read(key: string): Promise<LogRead> {
    const { sequence, summarize } = this.#options;
    const started = this.proof.now();
    const reading = await readKey(sequence, key, summarize);
    if (this.replica.adopt(key, reading)) this.proof.record(reading.at, started);
    return reading;
  }

  /** Applies an append of this process that began at `started`. */
  async admitOwn(page: Page, started: Instant): Promise<void> {
    await this.#admit(page);
    this.proof.record(page.last, started);
  }

  /** Applies the entry that took the position after `after`, or reads it if the backend did not return it. */
  async admitWinner(after: Version, { winner, last }: Extract<AppendResult, { ok: false }>): Promise<void> {
    const end = last ?? winner?.at(-1)?.version;
    if (winner === undefined || end === undefined) return this.query();
    await this.#admit({ after, changes: winner, last: end });
  }

  async #follow(consistent: boolean): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#followToEnd(consistent);
      } catch (error) {
        if (!(error instanceof StoreError) || !isLost(error)) throw error;
        this.reset();
        if (!isFirst) throw error;
      }
    }
  }

  async #followToEnd(consistent: boolean): Promise<void> {
    const { replica, proof } = this;
    const options = this.#options;
    const doubts = this.#doubts;
    let followed = 0;
    for (;;) {
      if (replica.head === 0) await this.begin();
      const started = proof.now();
      const after = replica.head;
      const { changes, last, more } = await options.sequence.readLog(after, { limit: PAGE, consistent });
      await this.#admit({ after, changes, last });
      followed += changes.length;
      if (more) this.#giveUp(followed);
      if (more || replica.head < last) continue;
      if (consistent) {
        proof.record(Math.max(after, last), started);
        this.#settled = doubts;
      }
      return;
    }
  }

  /** Drops the replica if there are no watchers and reading the changes costs more than reading the objects. */
  #giveUp(followed: number): void {
    const { exclusive, onLeftBehind } = this.#options;
    const { loaded } = this.replica;
    if (exclusive || this.hub.isActive || loaded === undefined || followed < loaded.size) return;
    this.reset();
    onLeftBehind?.();
  }

  /**
   * Applies a page after reading the previous objects of its watched changes. If they cannot be read, ends the watchers and forgets the
   * past. The watchers then resume. The page is always applied.
   */
  async #admit(page: Page): Promise<void> {
    const { replica } = this;
    const options = this.#options;
    const previous = new Map<Version, StoredObject | undefined>();
    const whole = { ...page, previous };
    let isPastKnown = true;
    for (let changes = replica.unknownBefore(whole); changes.length > 0; changes = replica.unknownBefore(whole)) {
      try {
        const objects = await Promise.all(changes.map((change) => readPrevious(options.sequence, change)));
        for (const [i, { version }] of changes.entries()) previous.set(version, objects[i]);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.hub.endAll();
        for (const { version } of changes) previous.set(version, undefined);
        isPastKnown = false;
      }
    }
    replica.apply(whole);
    if (!isPastKnown) replica.forgetPast();
    options.onApplied();
  }
}

/** Whether the log no longer has the changes after the replica's head, or was restored and never had that head. */
const isLost = ({ code }: StoreError): boolean => code === 'Expired' || code === 'FutureVersion';
