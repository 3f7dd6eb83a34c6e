import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Sequence, SequenceStore, Summary, Version } from '#lib/storage/sequence.ts';
import type { Consumer } from './consumer.ts';
import type { DeadLetters } from './dead-letters.ts';
import { enrol, follow, leave } from './follow.ts';
import { LogReader } from './log-reader.ts';

/** The ports of a doorbell. */
export interface DoorbellOptions {
  readonly store: SequenceStore;
  readonly clock: Clock;
  readonly consumers: readonly Consumer[];
  readonly deadLetters: Pick<DeadLetters, 'put'>;
  /** Computes the summary of stored bytes that have none. */
  summarize(body: Uint8Array): Summary;
  /** The interval in ms between two checkpoints of a sequence; 0 for one on every ring. */
  checkpointEvery(sequence: string): number;
}

/** The state of one sequence after a ring. */
export interface RingResult {
  readonly sequence: string;
  /** The number of versions that the slowest consumer still has to deliver. */
  readonly lag: number;
  readonly faults: readonly unknown[];
  readonly delivered: readonly Delivered[];
}

/** The changes of a log that one consumer delivered: after `from`, up to and including `to`. */
export interface Delivered {
  readonly consumer: string;
  readonly from: Version;
  readonly to: Version;
}

interface Rung {
  hasTime(): boolean;
  fault(error: unknown): void;
  /** Collects the delivered ranges. */
  readonly delivered: Delivered[];
}

/** The number of sequences processed concurrently. */
const AT_ONCE = 4;

/**
 * Folds the logs that were written to and delivers their new changes (architecture §5). A notification does not contain the changes. The
 * doorbell reads them from each log, after each consumer's cursor. It may therefore be rung twice, late, or without a change.
 */
export class Doorbell {
  readonly #options: DoorbellOptions;
  /** The monotonic time of the last checkpoint, by sequence. */
  readonly #folded = new Map<string, number>();

  constructor(options: DoorbellOptions) {
    this.#options = options;
  }

  /** Runs until all changes are delivered or no time is left for another page. An error in one sequence does not stop the others. */
  async ring(
    names: Iterable<string>,
    { hasTime = () => true }: { hasTime?: () => boolean } = {},
  ): Promise<RingResult[]> {
    const rung: RingResult[] = [];
    await forEachAtOnce(AT_ONCE, [...new Set(names)], async (name) => {
      rung.push(await this.#ring(name, hasTime));
    });
    return rung;
  }

  /** Rings every existing sequence. If a consumer no longer wants a log, its cursor stops retaining entries there. */
  async ringAll(options?: { hasTime?: () => boolean }): Promise<RingResult[]> {
    const names = await this.#options.store.names();
    const left: RingResult[] = [];
    await forEachAtOnce(AT_ONCE, names, async (sequence) => {
      await this.#leaveUnwanted(sequence).catch((error) =>
        left.push({ sequence, lag: 0, faults: [error], delivered: [] }),
      );
    });
    return [...left, ...(await this.ring(names, options))];
  }

  async #leaveUnwanted(name: string): Promise<void> {
    const { store, consumers } = this.#options;
    const sequence = store.sequence(name);
    for (const consumer of consumers) if (!consumer.wants(name)) await leave(sequence, consumer.reader);
  }

  async #ring(sequence: string, hasTime: () => boolean): Promise<RingResult> {
    const faults: unknown[] = [];
    const delivered: Delivered[] = [];
    try {
      const lag = await this.#run(sequence, { hasTime, fault: (error) => void faults.push(error), delivered });
      return { sequence, lag, faults, delivered };
    } catch (error) {
      return { sequence, lag: 0, faults: [...faults, error], delivered };
    }
  }

  /** Creates cursors first, so that the checkpoint drops no entry that a consumer still has to read. */
  async #run(name: string, { hasTime, fault, delivered }: Rung): Promise<number> {
    const { store, consumers, deadLetters, clock, summarize } = this.#options;
    const sequence = store.sequence(name);
    const interested = consumers.filter((consumer) => consumer.wants(name));
    const places = await Promise.all(interested.map(({ reader }) => enrol(sequence, reader)));
    await this.#checkpoint(name, sequence).catch(fault);
    const log = new LogReader(sequence);
    const resynced = (consumer: string): void =>
      fault(new StoreError('Expired', `${consumer} began anew: its log is gone`));
    const shared = { name, sequence, log, deadLetters, now: () => clock.now(), summarize, hasTime, resynced };
    const lags = interested.map(async (consumer, i) => {
      const place = places[i] ?? 0;
      try {
        const { at, ended } = await follow({ ...shared, consumer }, place);
        if (at > place) delivered.push({ consumer: consumer.reader, from: place, to: at });
        return ended ? 0 : await behind(sequence, at);
      } catch (error) {
        fault(error);
        return behind(sequence, await enrol(sequence, consumer.reader));
      }
    });
    return Math.max(0, ...(await Promise.all(lags)));
  }

  async #checkpoint(name: string, sequence: Sequence): Promise<void> {
    const { clock, checkpointEvery } = this.#options;
    const before = this.#folded.get(name) ?? Number.NEGATIVE_INFINITY;
    const now = clock.monotonic();
    if (now - before < checkpointEvery(name)) return;
    await sequence.compact();
    this.#folded.set(name, now);
  }
}

const behind = async (sequence: Sequence, at: Version): Promise<number> => Math.max(0, (await sequence.head()) - at);
