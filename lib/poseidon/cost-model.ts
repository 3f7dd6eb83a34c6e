import type { NodeInfo } from '#lib/scheduler/framework/node-info.ts';
import type { PodInfo } from '#lib/scheduler/framework/pod-info.ts';

/** The cost of a full machine without any preference for it. The costs of models are integers from 0 to `MAX_PLACEMENT_COST`. */
export const FULL_COST = 1000;
/** The maximum cost of a placement. It caps the sum of the costs of preferences and of the model. */
export const MAX_PLACEMENT_COST = 1 << 19;

/** A possible placement of a task of a class. */
export interface Placement {
  /** A pod of the class. Pods of one class have equal requests and constraints. */
  readonly pod: PodInfo;
  readonly node: NodeInfo;
  /** The number of tasks of the class that this round places on the node before this one. */
  readonly earlier: number;
  /** The node's index in the snapshot, for models that order equal nodes. */
  readonly index: number;
}

/** Computes the cost of placements. A cost model is selected by name, like Firmament's `--flow_scheduling_cost_model`. */
export interface CostModel {
  readonly name: string;
  /** The Score plugins whose preferences add to the cost, with their weights. */
  readonly preferences: Readonly<Record<string, number>>;
  /**
   * The cost of the placement, an integer from 0 to `MAX_PLACEMENT_COST`. If the cost decreases as `earlier` increases, the network uses
   * the higher cost.
   */
  place(placement: Placement): number;
}

/** The used share of an amount, from 0 to 1. A machine without the resource counts as full. */
export const shareOf = (used: number, allocatable: number): number =>
  allocatable <= 0 ? 1 : Math.min(1, Math.max(0, used / allocatable));
