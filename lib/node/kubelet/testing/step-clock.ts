import type { Clock } from '#lib/machinery/clock.ts';

/** A clock of one loop: time passes by its sleeps alone, and at once. */
export class StepClock implements Clock {
  /** Milliseconds of each sleep so far. */
  readonly sleeps: number[] = [];
  readonly #during: (sleeps: number) => void | Promise<void>;
  #time: number;

  /** `during` is called in each sleep with how many there were, this one among them. `start`: milliseconds since 1970. */
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
