import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Sequence, SequenceStore, Summary, Version } from '#lib/storage/sequence.ts';
import type { DeadLetters } from './dead-letters.ts';
import { enrol, follow, leave } from './follow.ts';
import type { Lane } from './lane.ts';
import { LogReader } from './log-reader.ts';

/** The ports of a doorbell. */
export interface DoorbellOptions {
  readonly store: SequenceStore;
  readonly clock: Clock;
  readonly lanes: readonly Lane[];
  readonly deadLetters: Pick<DeadLetters, 'put'>;
  /** Of stored bytes that come without a summary. */
  summarize(body: Uint8Array): Summary;
  /** Milliseconds between two checkpoints of a sequence; 0 for one at every ring. */
  checkpointEvery(sequence: string): number;
}

/** The state of one sequence after a ring. */
export interface RingResult {
  readonly sequence: string;
  /** Versions that the lane furthest behind has still to deliver. */
  readonly lag: number;
  readonly faults: readonly unknown[];
  readonly delivered: readonly Delivered[];
}

/** The changes of a log that one lane delivered: those behind `from`, up to and with `to`. */
export interface Delivered {
  readonly lane: string;
  readonly from: Version;
  readonly to: Version;
}

interface Rung {
  hasTime(): boolean;
  fault(error: unknown): void;
  /** Receives what is delivered. */
  readonly delivered: Delivered[];
}

/** Sequences that are worked on at once. */
const AT_ONCE = 4;

/**
 * Folds the logs that were written to and delivers the new changes in them (architecture §5). A ring does not say what
 * was written: the doorbell reads that from each log, behind each lane's cursor. So it may be rung twice, late, or for
 * nothing.
 */
export class Doorbell {
  readonly #options: DoorbellOptions;
  /** Monotonic time of the last checkpoint, by sequence. */
  readonly #folded = new Map<string, number>();

  constructor(options: DoorbellOptions) {
    this.#options = options;
  }

  /** Until nothing is left, or there is no more time for another page. Faults of one sequence stop no other. */
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

  /** Every sequence that there is. Lanes leave the logs that they no longer want. */
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
    const { store, lanes } = this.#options;
    const sequence = store.sequence(name);
    for (const lane of lanes) if (!lane.wants(name)) await leave(sequence, lane.reader);
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

  /** Cursors first, so that the checkpoint drops nothing that a lane has still to read. */
  async #run(name: string, { hasTime, fault, delivered }: Rung): Promise<number> {
    const { store, lanes, deadLetters, clock, summarize } = this.#options;
    const sequence = store.sequence(name);
    const interested = lanes.filter((lane) => lane.wants(name));
    const places = await Promise.all(interested.map(({ reader }) => enrol(sequence, reader)));
    await this.#checkpoint(name, sequence).catch(fault);
    const log = new LogReader(sequence);
    const resynced = (lane: string): void => fault(new StoreError('Expired', `${lane} began anew: its log is gone`));
    const shared = { name, sequence, log, deadLetters, now: () => clock.now(), summarize, hasTime, resynced };
    const lags = interested.map(async (lane, i) => {
      const place = places[i] ?? 0;
      try {
        const { at, ended } = await follow({ ...shared, lane }, place);
        if (at > place) delivered.push({ lane: lane.reader, from: place, to: at });
        return ended ? 0 : await behind(sequence, at);
      } catch (error) {
        fault(error);
        return behind(sequence, await enrol(sequence, lane.reader));
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
