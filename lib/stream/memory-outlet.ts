import type { Clock } from '#lib/machinery/clock.ts';
import type { Outlet, Refusal } from './outlet.ts';
import { type Answer, sendInOrder } from './send-in-order.ts';

/** The limits and responses of an in-memory outlet. */
export interface MemoryOutletOptions<T> {
  readonly clock: Clock;
  readonly maxBytes?: number;
  group(entry: T): string;
  /** The response to an entry, by default `taken`. If it throws, the whole request fails. */
  answer?(entry: T): Answer;
}

/** An outlet that keeps its entries in memory, for tests and as the model of other implementations. */
export class MemoryOutlet<T> implements Outlet<T> {
  readonly taken: T[] = [];
  readonly #options: MemoryOutletOptions<T>;

  constructor(options: MemoryOutletOptions<T>) {
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
