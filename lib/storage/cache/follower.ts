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
  /** No other process writes: what this one has applied is the head. */
  readonly exclusive: boolean;
  /** How long the log keeps what is checkpointed, in milliseconds. */
  readonly retention: number;
  /** Told when the first watcher comes and when the last has gone. */
  readonly onActive: (active: boolean) => void;
  /** Told when the loaded objects were thrown away because more has changed than they are. Default nobody is. */
  readonly onLeftBehind?: () => void;
  /** Told after changes came in. */
  readonly onApplied: () => void;
}

/** Follows one log: brings the replica to its head, and knows how well that is proven. */
export class Follower {
  readonly replica: Replica;
  readonly proof: Proof;
  readonly hub: WatchHub;
  readonly #options: FollowerOptions;
  readonly #tail = new SingleFlight(() => this.#follow(true));
  /** Appends whose fate was unknown, and how many of them a query has settled since. */
  #doubts = 0;
  #settled = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.hub = new WatchHub(options.onActive);
    this.replica = new Replica(this.hub, options.clock);
    this.proof = new Proof(options.clock, options.retention);
  }

  /** The applied head is the head: nobody else writes, and every append of ours is accounted for. */
  get isSure(): boolean {
    return this.#options.exclusive && this.replica.head !== 0 && this.#doubts === this.#settled;
  }

  /** Brings the replica to what was the head at some moment after the call, or after `since`. */
  async fresh(since?: Instant): Promise<void> {
    if (this.isSure || (since !== undefined && this.proof.isSince(since))) return;
    await this.query();
  }

  /** `fresh`, asking the sequence in any case. */
  query(): Promise<void> {
    return this.#tail.run();
  }

  /** Brings the replica forward to where an eventually consistent read gets. */
  poll(): Promise<void> {
    return this.#follow(false);
  }

  /** An append may have happened without our knowing. */
  doubt(): void {
    this.#doubts++;
  }

  /** Throws the replica away; its watchers end and resume from their versions. */
  reset(): void {
    this.replica.reset();
    this.proof.clear();
    this.hub.endAll();
    this.#options.onApplied();
  }

  /** Learns the head, where nothing is known yet. */
  async begin(): Promise<void> {
    const { replica, proof } = this;
    const options = this.#options;
    const started = proof.now();
    const head = await options.sequence.head();
    if (replica.head !== 0) return;
    replica.begin(head);
    proof.record(head, started);
  }

  /** Makes the replica know these keys, if nothing else happens meanwhile. */
  async hold(keys: ReadonlySet<string>): Promise<void> {
    const { replica } = this;
    const { sequence, summarize } = this.#options;
    if (replica.head === 0) await this.begin();
    const positions = await Promise.all([...keys].map((key) => replica.hold(sequence, key, summarize)));
    if (replica.head < Math.max(...positions)) await this.query();
  }

  /** The present state of a key, read from the store. What that proves is kept for the writes that follow. */
  async read(key: string): Promise<LogRead> {
    const { sequence, summarize } = this.#options;
    const started = this.proof.now();
    const reading = await readKey(sequence, key, summarize);
    if (this.replica.adopt(key, reading)) this.proof.record(reading.at, started);
    return reading;
  }

  /** Takes in an append of this process that began at `started`. */
  async admitOwn(page: Page, started: Instant): Promise<void> {
    await this.#admit(page);
    this.proof.record(page.last, started);
  }

  /** Takes in what took the position behind `after`, or reads it where the backend did not tell. */
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

  /** Goes cold where nobody watches and what follows costs more to read than the objects themselves. */
  #giveUp(followed: number): void {
    const { exclusive, onLeftBehind } = this.#options;
    const { loaded } = this.replica;
    if (exclusive || this.hub.isActive || loaded === undefined || followed < loaded.size) return;
    this.reset();
    onLeftBehind?.();
  }

  /**
   * Applies a page, once it is known what was there before those of its changes that somebody watches. Where that cannot be
   * read, the watchers end and resume, and what is past is forgotten: the page counts.
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

/** The log no longer has what follows the replica's head, or never had that head: it was restored. */
const isLost = ({ code }: StoreError): boolean => code === 'Expired' || code === 'FutureVersion';
