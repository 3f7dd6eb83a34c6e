import { MAX_PLACEMENT_COST } from './cost-model.ts';

/**
 * The difference in cost between two priorities. It exceeds any difference in the costs of placements and waiting times, so a pod of higher
 * priority never waits for one of lower priority.
 */
const PRIORITY_STEP = 4 * MAX_PLACEMENT_COST;
/** The cost of a second of waiting. */
const SECOND = 100;
/** The maximum cost of waiting. */
const MAX_WAIT = MAX_PLACEMENT_COST;

/** A pod that may stay unscheduled in a round. */
export interface Waiting {
  readonly priority: number;
  /** The time in seconds since its first attempt. */
  readonly seconds: number;
}

/**
 * Returns the cost of leaving each pod unscheduled. It is above the cost of any placement. It is higher for a higher priority, and among
 * equal priorities for a longer wait. Firmament uses a constant, 2,560,000.
 */
export function unscheduledCosts(pods: readonly Waiting[]): number[] {
  const priorities = [...new Set(pods.map(({ priority }) => priority))].sort((a, b) => a - b);
  const rank = new Map(priorities.map((priority, index) => [priority, index]));
  return pods.map(({ priority, seconds }) => {
    const wait = Math.min(MAX_WAIT, Math.round(SECOND * Math.max(0, seconds)));
    return 2 * MAX_PLACEMENT_COST + wait + PRIORITY_STEP * (rank.get(priority) ?? 0);
  });
}
