import type { Clock } from '#lib/machinery/clock.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { newUid } from '#lib/machinery/random.ts';
import { readable } from '#lib/storage/damage.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Sequence, Version } from '#lib/storage/sequence.ts';
import { decodeLedger, EMPTY, encodeLedger, type LedgerState } from './ledger-state.ts';

/** The ports of a QuotaLedger. */
export interface LedgerOptions {
  readonly cluster: string;
  readonly clock: Clock;
  /** Whether no other process writes to the store during this process's lifetime. */
  readonly exclusive: boolean;
  sequence(name: string): Sequence;
}

/** The group under which ledgers are stored, with one sequence for each namespace that has a quota. */
export const LEDGERS = 'quota.davit.dev';

/** The maximum number of ledgers in memory: those of the most recently written namespaces. */
const HELD = 1000;
/** If a state is older than this, in ms, it is read again before a change is appended. */
const MAX_AGE = 30_000;
const MAX_BATCH = 256;
/** The number of changes of one ledger between two compactions of its log. */
const FOLD_EVERY = 100;
const PAGE = 256;
const NO_SUMMARY = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };

type Change = (state: LedgerState) => LedgerState;

interface Waiting {
  readonly change: Change;
  resolve(state: LedgerState): void;
  reject(error: unknown): void;
}

interface LedgerHead {
  readonly state: LedgerState;
  /** The position after which the next change is appended. */
  readonly after: Version;
  /** The monotonic time at which `after` was the head. */
  readonly at: number;
  readonly changes: number;
}

interface LedgerQueue {
  known: LedgerHead | undefined;
  readonly waiting: Waiting[];
  isRunning: boolean;
}

/**
 * Tracks the usage of every namespace's quotas with reservations. All waiting writes of one namespace share one compare-and-swap, so two
 * writers cannot both take the remaining quota. Keeps a few ledgers in memory and reads the others when they are written.
 */
export class QuotaLedger {
  readonly #options: LedgerOptions;
  readonly #held = new Map<string, LedgerQueue>();
  readonly #listeners: ((namespace: string) => void)[] = [];

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Calls the listener after every change of a namespace's ledger by this process. */
  onChange(listener: (namespace: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Returns the latest state. */
  read(namespace: string): Promise<LedgerState> {
    return this.change(namespace, (state) => state);
  }

  /**
   * Replaces the state with the result of `change`, which is pure and may run again. An error of `change` affects only its caller, and only
   * if the state is proven to be the latest.
   */
  change(namespace: string, change: Change): Promise<LedgerState> {
    return new Promise((resolve, reject) => {
      const held = this.#hold(namespace);
      held.waiting.push({ change, resolve, reject });
      if (!held.isRunning) void this.#run(namespace, held);
    });
  }

  #hold(namespace: string): LedgerQueue {
    const held = this.#held.get(namespace) ?? { known: undefined, waiting: [], isRunning: false };
    this.#held.delete(namespace);
    this.#held.set(namespace, held);
    for (const [other, { isRunning }] of this.#held) {
      if (this.#held.size <= HELD) break;
      if (!isRunning && other !== namespace) this.#held.delete(other);
    }
    return held;
  }

  /** Never rejects: each caller receives its own error. */
  async #run(namespace: string, held: LedgerQueue): Promise<void> {
    held.isRunning = true;
    while (held.waiting.length > 0) {
      const batch = held.waiting.splice(0, MAX_BATCH);
      try {
        while (!(await this.#apply(namespace, held, batch)));
      } catch (error) {
        held.known = undefined;
        for (const { reject } of batch) reject(error);
      }
    }
    held.isRunning = false;
  }

  /** Resolves with false if another process wrote first, or may have. The state is then read again. */
  async #apply(namespace: string, held: LedgerQueue, batch: readonly Waiting[]): Promise<boolean> {
    const { clock, exclusive } = this.#options;
    let isLatest = exclusive;
    if (held.known === undefined || clock.monotonic() - held.known.at > MAX_AGE) {
      held.known = await this.#load(namespace);
      isLatest = true;
    }
    const before = held.known.state;
    const { state, answers, needsLatest } = applyAll(before, batch);
    if (needsLatest && !isLatest) held.known = undefined;
    else if (state === before || (await this.#append(namespace, held, held.known, state))) {
      for (const answer of answers) answer();
      if (state !== before) for (const listener of this.#listeners) listener(namespace);
      return true;
    }
    return false;
  }

  async #append(namespace: string, held: LedgerQueue, known: LedgerHead, state: LedgerState): Promise<boolean> {
    const { clock } = this.#options;
    const at = clock.monotonic();
    const proposal = {
      ...NO_SUMMARY,
      key: this.#key(namespace),
      type: 'MODIFIED',
      body: bodyOf(namespace, state),
    } as const;
    const sequence = this.#sequence(namespace);
    const appended = await sequence.append(known.after, [proposal], { nonce: newUid() });
    if (!appended.ok) {
      held.known = undefined;
      return false;
    }
    held.known = { state, after: appended.last, at, changes: known.changes + 1 };
    if (held.known.changes % FOLD_EVERY === 0) await sequence.compact();
    return true;
  }

  async #load(namespace: string): Promise<LedgerHead> {
    const at = this.#options.clock.monotonic();
    const sequence = this.#sequence(namespace);
    const { from, item } = await sequence.read(this.#key(namespace));
    let body = readable(item)?.body;
    let after = from;
    for (let more = true; more; ) {
      const page = await sequence.readLog(after, { limit: PAGE, consistent: true });
      body = readable(page.changes.at(-1))?.body ?? body;
      ({ last: after, more } = page);
    }
    return { state: body === undefined ? EMPTY : stateOf(body), after, at, changes: 0 };
  }

  #sequence(namespace: string): Sequence {
    return this.#options.sequence(`${this.#options.cluster}/${LEDGERS}/${namespace}`);
  }

  #key(namespace: string): string {
    return `${this.#options.cluster}/${LEDGERS}/ledgers/${namespace}/ledger`;
  }
}

interface Applied {
  readonly state: LedgerState;
  /** Settles the callers' promises once the state is stored. */
  readonly answers: readonly (() => void)[];
  /** Whether a write was rejected or a caller only reads. No append then proves that the state was the latest. */
  readonly needsLatest: boolean;
}

function applyAll(before: LedgerState, batch: readonly Waiting[]): Applied {
  let state = before;
  let needsLatest = false;
  const answers = batch.map(({ change, resolve, reject }) => {
    try {
      const next = change(state);
      needsLatest ||= next === state;
      state = next;
      return () => resolve(next);
    } catch (error) {
      needsLatest = true;
      return () => reject(error);
    }
  });
  return { state, answers, needsLatest };
}

function bodyOf(namespace: string, state: LedgerState): Uint8Array {
  const metadata = { name: 'ledger', namespace, resourceVersion: '' };
  const head = { apiVersion: `${LEDGERS}/v1`, kind: 'Ledger', metadata };
  return Buffer.from(JSON.stringify({ ...head, ...encodeLedger(state) }));
}

function stateOf(body: Uint8Array): LedgerState {
  const object = parseStored(body);
  if (!isObject(object)) throw new StoreError('Corrupt', 'a ledger of quotas holds no object');
  return decodeLedger(object);
}
