import { type Observations, thresholdsMet, withNewStats } from './observations.ts';
import type { Threshold } from './parse-threshold-config.ts';
import { type PressureCondition, SIGNALS } from './signals.ts';

/** The met thresholds over time, and the resulting conditions. Times are monotonic. */
export class PressureState {
  readonly #transitionPeriod: number;
  #conditions: readonly PressureCondition[] = [];
  #lastObserved: ReadonlyMap<PressureCondition, number> = new Map();
  #firstObserved: ReadonlyMap<Threshold, number> = new Map();
  /** Thresholds that were met for their grace period and are not resolved. */
  #met: readonly Threshold[] = [];
  #observations: Observations = new Map();

  /** `transitionPeriod` is the time in ms for which a condition stays after its last threshold was met. */
  constructor(transitionPeriod: number) {
    this.#transitionPeriod = transitionPeriod;
  }

  /** The conditions after the last observations. */
  get conditions(): readonly PressureCondition[] {
    return this.#conditions;
  }

  /** Records observations. Returns the thresholds that require evictions: met for their grace period, with new statistics. */
  observe(thresholds: readonly Threshold[], observations: Observations, now: number): Threshold[] {
    const fresh = thresholdsMet(thresholds, observations, { minReclaim: false });
    const unresolved = thresholdsMet(this.#met, observations, { minReclaim: true });
    const active = [...fresh, ...unresolved.filter((threshold) => !fresh.includes(threshold))];
    this.#firstObserved = new Map(active.map((one) => [one, this.#firstObserved.get(one) ?? now]));
    const observed = active.map(({ signal }) => [SIGNALS[signal].condition, now] as const);
    this.#lastObserved = new Map([...this.#lastObserved, ...observed]);
    this.#conditions = [...this.#lastObserved].flatMap(([condition, at]) =>
      now - at < this.#transitionPeriod ? [condition] : [],
    );
    this.#met = [...this.#firstObserved].flatMap(([one, at]) => (now - at >= one.gracePeriod ? [one] : []));
    const updated = withNewStats(this.#met, observations, this.#observations);
    this.#observations = observations;
    return updated;
  }
}
