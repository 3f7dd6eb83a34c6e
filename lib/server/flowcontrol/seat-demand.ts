/** Upstream's seatDemandSmoothingCoefficient: the part of a high demand that remains after an adjustment. */
const SMOOTHING = 0.977;

/** The seats that a priority level could use, over one adjustment period. */
export interface Demand {
  readonly highWatermark: number;
  readonly average: number;
  readonly deviation: number;
  /** Rises at once with average and deviation, and falls slowly. */
  readonly smoothed: number;
}

/** Measures the demand for seats: upstream's integrator and its statistics. Times are monotonic, in ms. */
export class SeatDemand {
  #seats = 0;
  #highest = 0;
  #since: number;
  #last: number;
  #integral = 0;
  #squares = 0;
  #demand: Demand = { highWatermark: 0, average: 0, deviation: 0, smoothed: 0 };

  constructor(now: number) {
    this.#since = now;
    this.#last = now;
  }

  get demand(): Demand {
    return this.#demand;
  }

  set(now: number, seats: number): void {
    const elapsed = now - this.#last;
    this.#last = now;
    this.#integral += this.#seats * elapsed;
    this.#squares += this.#seats * this.#seats * elapsed;
    this.#seats = seats;
    if (seats > this.#highest) this.#highest = seats;
  }

  /** Ends the current period, or several if more than one has passed. */
  adjust(now: number, periods: number): void {
    this.set(now, this.#seats);
    const elapsed = now - this.#since;
    const highWatermark = this.#highest;
    this.#demand = elapsed > 0 ? this.#measured(elapsed, periods) : { ...this.#demand, highWatermark };
    this.#since = now;
    this.#integral = 0;
    this.#squares = 0;
    this.#highest = this.#seats;
  }

  #measured(elapsed: number, periods: number): Demand {
    const average = this.#integral / elapsed;
    const deviation = Math.sqrt(Math.max(0, this.#squares / elapsed - average * average));
    const envelope = average + deviation;
    const kept = SMOOTHING ** periods;
    const smoothed = Math.max(envelope, kept * this.#demand.smoothed + (1 - kept) * envelope);
    return { highWatermark: this.#highest, average, deviation, smoothed };
  }
}
