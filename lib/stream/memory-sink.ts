import type { Clock } from '#lib/machinery/clock.ts';
import { type Answer, sendInOrder } from './send-in-order.ts';
import type { Refusal, Sink } from './sink.ts';

/** The limits and responses of an in-memory sink. */
export interface MemorySinkOptions<T> {
  readonly clock: Clock;
  readonly maxBytes?: number;
  group(entry: T): string;
  /** The response to an entry, by default `taken`. If it throws, the whole request fails. */
  answer?(entry: T): Answer;
}

/** A sink that keeps its entries in memory, for tests and as the model of other implementations. */
export class MemorySink<T> implements Sink<T> {
  readonly taken: T[] = [];
  readonly #options: MemorySinkOptions<T>;

  constructor(options: MemorySinkOptions<T>) {
    this.#options = options;
  }

  send(entries: readonly T[]): Promise<readonly Refusal[]> {
    const { clock, group, maxBytes = 256 * 1024 } = this.#options;
    const bytes = (entry: T): number => Buffer.byteLength(JSON.stringify(entry));
    const request = async (batch: readonly T[]): Promise<Answer[]> => batch.map((entry) => this.#take(entry));
    return sendInOrder(entries, { maxEntries: 10, maxBytes, bytes, group, request }, clock);
  }

  #take(entry: T): Answer {
    const answer = this.#options.answer?.(entry) ?? 'taken';
    if (answer === 'taken') this.taken.push(entry);
    return answer;
  }
}
