import { afterEach, beforeEach, expect } from 'vitest';
import type { LogPage, Proposal, Sequence, SequenceStore, Snapshot, Version } from '../sequence.ts';

/** A backend with its own empty data. */
export interface Bench {
  /** Opens the data. Each call acts like another process. */
  open(): SequenceStore | Promise<SequenceStore>;
  /** Advances the clock of every opened store. */
  advance(milliseconds: number): void;
  /** Sets the wall clock of every opened store forward or back, without elapsed time. */
  jump(milliseconds: number): void;
  /** The wall time in ms since 1970. */
  now(): number;
  /** The time in ms for which the stores keep entries. */
  readonly retention: number;
  /** Whether the stores were opened with `tallOutline`. */
  readonly outlines?: boolean;
  /** Whether the stores encode bodies differently from how they were written. */
  readonly sealed?: boolean;
  dispose(): Promise<void> | void;
}

interface Item {
  readonly key: string;
  readonly version: Version;
  readonly body: Uint8Array;
  readonly outline?: boolean;
}

/** A sequence on a bench that is new for each test, with helpers. */
export class OpenSequence {
  readonly #opened = new Set<SequenceStore>();
  #nonces = 0;
  bench!: Bench;
  store!: SequenceStore;
  log!: Sequence;

  constructor(empty: () => Promise<Bench> | Bench) {
    beforeEach(async () => {
      this.bench = await empty();
      this.store = await this.another();
      this.log = this.store.sequence('main//things');
    });
    afterEach(async () => {
      for (const each of this.#opened) await each.close();
      this.#opened.clear();
      await this.bench.dispose();
    });
  }

  /** Opens the same data as another process would. */
  async another(): Promise<SequenceStore> {
    const next = await this.bench.open();
    this.#opened.add(next);
    return next;
  }

  nonce(): { nonce: string } {
    return { nonce: `nonce-${++this.#nonces}` };
  }

  /** Appends after the head. */
  async put(...proposals: Proposal[]): Promise<Version> {
    const result = await this.log.append(await this.log.head(), proposals, this.nonce());
    if (!result.ok) throw new Error('the position was taken');
    return result.last;
  }

  all(sequence = this.log): Promise<LogPage> {
    return sequence.readLog(0, { limit: 1_000, consistent: true });
  }

  /** Advances the clock until all entries are old, then drops every entry except the last one. */
  async age(): Promise<void> {
    this.bench.advance(this.bench.retention + 60_000);
    await this.log.compact();
  }
}

/** Matches a StoreError with the code. */
export const code = (expected: string) => expect.objectContaining({ name: 'StoreError', code: expected });

/** Every entry of a snapshot in order. */
export async function entriesOf({ entries }: Snapshot): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of entries) items.push(item);
  return items;
}
