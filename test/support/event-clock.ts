import type { Clock } from '#lib/machinery/clock.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';

interface Sleep {
  readonly at: number;
  wake(): void;
}

/** A clock that jumps to the end of the next sleep when no other work is left. Processor time does not count. */
export class EventClock implements Clock {
  #time = 0;
  readonly #sleeps = new Set<Sleep>();

  now(): number {
    return 1_700_000_000_000 + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const sleep = {
        at: this.#time + Math.max(0, milliseconds),
        wake: (): void => {
          listener?.[Symbol.dispose]();
          this.#sleeps.delete(sleep);
          resolve();
        },
      };
      this.#sleeps.add(sleep);
      const listener = signal && onAbort(signal, sleep.wake);
    });
  }

  /** For work that takes event-loop turns but does not sleep. Some milliseconds pass for it, and time does not jump to the next sleep. */
  async pace<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = (): void => over.abort();
    work.then(end, end);
    while (!over.signal.aborted) await this.sleep(1);
    return work;
  }

  /** Lets time pass until the work is done. Rejects if the work rejects, or if no sleep remains that could complete it. */
  async runUntil<T>(work: Promise<T>): Promise<T> {
    const over = work.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([over, new Promise<false>((resolve) => setImmediate(resolve, false))]))) {
      const first = [...this.#sleeps].reduce<Sleep | undefined>(
        (least, one) => (least !== undefined && least.at <= one.at ? least : one),
        undefined,
      );
      if (first === undefined) throw new Error('nothing is left that could end the work');
      this.#time = first.at;
      first.wake();
    }
    return work;
  }
}
