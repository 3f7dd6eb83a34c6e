import type { Clock } from '#lib/machinery/clock.ts';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock that advances only when a test moves it. Sleepers wake when the clock passes their time. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start = 1_700_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  /** Sets the wall clock forward or back, without any elapsed time. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds <= 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        listener?.[Symbol.dispose]();
        this.#sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { at: this.#elapsed + milliseconds, wake };
      this.#sleepers.add(sleeper);
      const listener = signal && onAbort(signal, wake);
    });
  }

  /** The number of pending sleeps, including timers that a caller forgot to clear. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += milliseconds;
    const due = [...this.#sleepers].filter(({ at }) => at <= this.#elapsed);
    for (const { wake } of due.sort((a, b) => a.at - b.at)) wake();
  }
}
