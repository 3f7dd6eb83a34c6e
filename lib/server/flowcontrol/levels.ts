import type { Clock } from '#lib/machinery/clock.ts';
import { allocate, type Claim } from './concurrency.ts';
import type { Configuration, PriorityLevel } from './configuration.ts';
import { LevelState, type Limits } from './level-state.ts';

/** Upstream's borrowingAdjustmentPeriod in ms. */
export const PERIOD = 10_000;

/**
 * The priority levels of this process and the division of its seats. Seats are divided by shares and redistributed every ten seconds by
 * demand, within the limits of lending and borrowing. There is no timer. An arriving or waiting request adjusts the seats after a period
 * ends.
 */
export class Levels {
  readonly #clock: Clock;
  readonly #concurrency: number;
  #states = new Map<string, LevelState>();
  #configured: readonly PriorityLevel[] = [];
  #nominalSum = 0;
  #adjusted: number;

  constructor(clock: Clock, concurrency: number) {
    this.#clock = clock;
    this.#concurrency = concurrency;
    this.#adjusted = clock.monotonic();
  }

  states(): Iterable<LevelState> {
    return this.#states.values();
  }

  at(name: string): LevelState | undefined {
    return this.#states.get(name);
  }

  /** Applies a new configuration. A removed level keeps its share until its last request ends. */
  configure({ levels }: Pick<Configuration, 'levels'>): void {
    this.#configured = levels;
    const states = new Map<string, LevelState>();
    for (const level of levels)
      states.set(level.name, this.#states.get(level.name) ?? new LevelState(level, this.#clock));
    for (const [name, state] of this.#states) if (!states.has(name) && !state.queues.isIdle) states.set(name, state);
    this.#states = states;
    this.#divide(new Map(levels.map((level) => [level.name, level])));
    this.#adjust(0);
  }

  /** Redistributes the seats if a period has ended. */
  adjustWhenDue(): void {
    const periods = Math.floor((this.#clock.monotonic() - this.#adjusted) / PERIOD);
    if (periods < 1) return;
    if (this.#states.size > this.#configured.length) this.configure({ levels: this.#configured });
    this.#adjust(periods);
  }

  /** Rounds nominal limits up, so that no level has zero seats. Their sum may exceed the total slightly. */
  #divide(levels: ReadonlyMap<string, PriorityLevel>): void {
    const all = [...this.#states].map(([name, state]) => ({ state, level: levels.get(name) ?? state.level }));
    const shares = all.reduce((sum, { level }) => sum + level.shares, 0);
    this.#nominalSum = 0;
    for (const { state, level } of all) {
      const limits = this.#limitsOf(level, shares);
      state.configure(level, limits);
      this.#nominalSum += limits.nominal;
    }
  }

  #limitsOf({ shares, lendable, borrowing }: PriorityLevel, sum: number): Limits {
    const nominal = sum === 0 ? 0 : Math.ceil((this.#concurrency * shares) / sum);
    const borrowed = borrowing === undefined ? this.#concurrency : Math.round((nominal * borrowing) / 100);
    return { nominal, lower: nominal - Math.round((nominal * lendable) / 100), upper: nominal + borrowed };
  }

  #adjust(periods: number): void {
    const now = this.#clock.monotonic();
    this.#adjusted = now;
    for (const { demand } of this.#states.values()) demand.adjust(now, Math.max(1, periods));
    const exempt = [...this.#states.values()].filter(({ level }) => level.exempt);
    const limited = [...this.#states.values()].filter(({ level }) => !level.exempt);
    const taken = exempt.reduce((sum, state) => sum + exemptLimit(state), 0);
    const seats = this.#shared(this.#nominalSum - taken, limited);
    for (const state of exempt) state.limit(exemptLimit(state));
    limited.forEach((state, i) => state.limit(seats[i] as number));
  }

  /** The seats of each limited level if exempt levels leave `remaining` seats. */
  #shared(remaining: number, states: readonly LevelState[]): number[] {
    const claims = states.map(claimOf);
    const least = states.reduce((sum, { limits }) => sum + limits.lower, 0);
    const needed = claims.reduce((sum, { lower }) => sum + lower, 0);
    if (remaining <= least) return states.map(({ limits }) => limits.lower);
    if (remaining <= needed) {
      const part = (remaining - least) / (needed - least);
      return states.map(
        ({ limits }, i) => limits.lower + Math.round(((claims[i] as Claim).lower - limits.lower) * part),
      );
    }
    const allocated = allocate(this.#nominalSum, claims);
    return states.map((state, i) => Math.round(allocated?.[i] ?? state.current));
  }
}

const exemptLimit = ({ limits, demand }: LevelState): number => Math.max(limits.lower, demand.demand.highWatermark);

/** A level's claim. Its lower bound is the peak demand, limited to the level's own seats. */
function claimOf({ limits, demand }: LevelState): Claim {
  const { highWatermark, smoothed } = demand.demand;
  const lower = Math.max(limits.lower, Math.min(limits.nominal, highWatermark));
  return { lower, upper: limits.upper, target: Math.max(lower, smoothed) };
}
