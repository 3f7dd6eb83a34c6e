import { MAX_PLACEMENT_COST } from './cost-model.ts';

/**
 * The step in cost between two priorities. It exceeds the difference that any placements and any waiting times can make, so that a pod of
 * higher priority never waits for one of lower priority.
 */
const PRIORITY_STEP = 4 * MAX_PLACEMENT_COST;
/** The cost of a second of waiting. */
const SECOND = 100;
/** The most that waiting adds. */
const MAX_WAIT = MAX_PLACEMENT_COST;

/** A pod that may stay unscheduled in a round. */
export interface Waiting {
  readonly priority: number;
  /** The time in seconds since its first attempt. */
  readonly seconds: number;
}

/**
 * Returns the cost of leaving each pod unscheduled: above that of any placement, higher for a higher priority, and higher for a longer
 * wait among equal priorities. Firmament's counterpart is a constant, 2,560,000.
 */
export function unscheduledCosts(pods: readonly Waiting[]): number[] {
  const priorities = [...new Set(pods.map(({ priority }) => priority))].sort((a, b) => a - b);
  const rank = new Map(priorities.map((priority, index) => [priority, index]));
  return pods.map(({ priority, seconds }) => {
    const wait = Math.min(MAX_WAIT, Math.round(SECOND * Math.max(0, seconds)));
    return 2 * MAX_PLACEMENT_COST + wait + PRIORITY_STEP * (rank.get(priority) ?? 0);
  });
}
