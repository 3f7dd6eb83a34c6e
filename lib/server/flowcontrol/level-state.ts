import type { Clock } from '#lib/machinery/clock.ts';
import { Recent } from '#lib/machinery/recent.ts';
import type { PriorityLevel } from './configuration.ts';
import { FlowCounts } from './fairqueuing/flow-counts.ts';
import { QueueSet } from './fairqueuing/queue-set.ts';
import { SeatDemand } from './seat-demand.ts';
import { deal, hashFlow } from './shuffle-sharding.ts';

/** How many seats a level has by right, must keep, may get and has now. */
export interface Limits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** Flows whose hands are remembered. */
const FLOWS = 4096;
const MAX_SEATS_SHARE = 0.15;
const ONLY: readonly number[] = [0];

/** A priority level at work: its limits, its queues, and what is counted of it. */
export class LevelState {
  readonly queues: QueueSet;
  readonly demand: SeatDemand;
  /** By the name of the flow schema. */
  readonly counts = new Map<string, FlowCounts>();
  level: PriorityLevel;
  limits: Limits = { nominal: 0, lower: 0, upper: 0 };
  current = 0;
  /** The bound of what one request is estimated at; 0 for none. */
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

  /** Takes another number of seats for now. */
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
