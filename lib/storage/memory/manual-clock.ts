import type { Clock } from '#lib/machinery/clock.ts';

/** A clock that advances only when a test moves it. Sleepers wake when it passes their time. */
export class ManualClock implements Clock {
  #now: number;
  #elapsed = 0;
  #sleepers: { readonly at: number; wake(): void }[] = [];

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
      this.#sleepers.push({ at: this.#elapsed + milliseconds, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
    this.#elapsed += milliseconds;
    const due = this.#sleepers.filter(({ at }) => at <= this.#elapsed);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#elapsed);
    for (const { wake } of due.sort((a, b) => a.at - b.at)) wake();
  }
}
