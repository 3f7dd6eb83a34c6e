import type { Clock } from '#lib/machinery/clock.ts';
import { Recent } from '#lib/machinery/recent.ts';
import type { PriorityLevel } from './configuration.ts';
import { FlowCounts } from './fairqueuing/flow-counts.ts';
import { QueueSet } from './fairqueuing/queue-set.ts';
import { SeatDemand } from './seat-demand.ts';
import { deal, hashFlow } from './shuffle-sharding.ts';

/** The nominal, minimum and maximum number of seats of a level. */
export interface Limits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** The number of flows whose hands are cached. */
const FLOWS = 4096;
const MAX_SEATS_SHARE = 0.15;
const ONLY: readonly number[] = [0];

/** An active priority level: its limits, queues and counters. */
export class LevelState {
  readonly queues: QueueSet;
  readonly demand: SeatDemand;
  /** Keyed by flow schema name. */
  readonly counts = new Map<string, FlowCounts>();
  level: PriorityLevel;
  limits: Limits = { nominal: 0, lower: 0, upper: 0 };
  current = 0;
  /** The maximum estimated seats of one request. 0 means no limit. */
  maxSeats = 0;
  #hands = new Recent<string, readonly number[]>(FLOWS);

  constructor(level: PriorityLevel, clock: Clock) {
    this.level = level;
    this.demand = new SeatDemand(clock.monotonic());
    this.queues = new QueueSet(clock, this.demand);
  }

  configure(level: PriorityLevel, limits: Limits): void {
    const { queues, handSize } = level.queuing;
    const known = this.level.queuing;
    if (queues !== known.queues || handSize !== known.handSize) this.#hands = new Recent(FLOWS);
    this.level = level;
    this.limits = limits;
    this.maxSeats =
      queues > 0
        ? Math.max(1, Math.min(Math.ceil(limits.nominal * MAX_SEATS_SHARE), Math.floor(limits.nominal / handSize)))
        : 0;
  }

  /** Changes the current number of seats. */
  limit(seats: number): void {
    this.current = seats;
    this.queues.configure(this.level.queuing, seats);
  }

  /** The queues that a flow may use. */
  hand(schema: string, distinguisher: string): readonly number[] {
    const { queues, handSize } = this.level.queuing;
    if (queues <= 1) return ONLY;
    const key = `${schema}\0${distinguisher}`;
    return this.#hands.get(key, 1, () => deal(hashFlow(schema, distinguisher), queues, handSize));
  }

  countsOf(schema: string): FlowCounts {
    const known = this.counts.get(schema);
    if (known !== undefined) return known;
    const counts = new FlowCounts();
    this.counts.set(schema, counts);
    return counts;
  }
}
