import type { Clock } from '#lib/machinery/clock.ts';

/** A clock for a single loop: only its sleeps advance the time, without a delay. */
export class StepClock implements Clock {
  /** The duration of each sleep so far in milliseconds. */
  readonly sleeps: number[] = [];
  readonly #during: (sleeps: number) => void | Promise<void>;
  #time: number;

  /** `during` is called in each sleep with the number of sleeps, including this one. `start` is in milliseconds since 1970. */
  constructor(
    during: (sleeps: number) => void | Promise<void> = () => undefined,
    start = Date.parse('2026-01-01T00:00:00Z'),
  ) {
    this.#during = during;
    this.#time = start;
  }

  now(): number {
    return this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#time += milliseconds;
    this.sleeps.push(milliseconds);
    await this.#during(this.sleeps.length);
  }
}
