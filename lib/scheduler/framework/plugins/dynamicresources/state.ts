import type { NodeSelector } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import type { Allocator } from '#lib/dynamic-resource-allocation/structured/allocator.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has } from '#lib/machinery/unstructured.ts';
import type { StateData, StateKey } from '../../cycle-state.ts';

/** One of a pod's claims in an attempt to place the pod. */
export interface ClaimInfo {
  /** As it was found, then as it was written. */
  claim: JsonObject;
  /** Where it can be had, if it has devices that are not everywhere. */
  readonly availableOn: NodeSelector | undefined;
  /** What `reserve` gave it, and is to be written. */
  allocation?: JsonObject;
}

/** What is known of a pod's claims. Trials of preemption share it: devices do not depend on other pods. */
export class Claims implements StateData {
  readonly all: readonly ClaimInfo[];
  /** Where some have no devices yet. */
  readonly allocator: Allocator | undefined;
  /** What those would have on each node, in their order. */
  readonly byNode = new Map<string, readonly JsonObject[]>();
  /** Those that a node was refused for: whoever has no use for their devices gives them back. */
  readonly unavailable = new Set<ClaimInfo>();

  constructor(all: readonly ClaimInfo[], allocator: Allocator | undefined) {
    this.all = all;
    this.allocator = allocator;
  }

  clone(): Claims {
    return this;
  }

  /** Those that have no devices. */
  get open(): readonly ClaimInfo[] {
    return this.all.filter(({ claim }) => !isAllocated(claim));
  }
}

export const isAllocated = (claim: JsonObject): boolean => has(objectAt(claim, 'status'), 'allocation');

export const STATE: StateKey<Claims> = { name: 'DynamicResources' };
