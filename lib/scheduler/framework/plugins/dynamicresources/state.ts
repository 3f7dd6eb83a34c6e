import type { NodeSelector } from '#lib/component-helpers/scheduling/corev1/node-affinity.ts';
import type { Allocator } from '#lib/dynamic-resource-allocation/structured/allocator.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has } from '#lib/machinery/unstructured.ts';
import type { StateData, StateKey } from '../../cycle-state.ts';
import type { DeviceRequests } from './device-requests.ts';
import type { ExtendedResources } from './extended-resources.ts';

/** One of a pod's claims in an attempt to place the pod. */
export interface ClaimInfo {
  /** As it was found, then as it was written. */
  claim: JsonObject;
  /** Where it can be had, if it has devices that are not everywhere. */
  readonly availableOn: NodeSelector | undefined;
  /** What `reserve` gave it, and is to be written. */
  allocation?: JsonObject;
  /** Of the claim for what containers ask for as resources: those. */
  readonly extended?: ExtendedResources;
}

/** What a pod's claims would have on a node. */
export interface NodeAllocation {
  /** For each that has no devices yet, and needs some there. */
  readonly found: ReadonlyMap<ClaimInfo, JsonObject>;
  /** What the claim for resources is there. */
  readonly extended: DeviceRequests | undefined;
}

/** What is known of a pod's claims. Trials of preemption share it: devices do not depend on other pods. */
export class Claims implements StateData {
  readonly all: readonly ClaimInfo[];
  /** Where some have no devices yet. */
  readonly allocator: Allocator | undefined;
  readonly byNode = new Map<string, NodeAllocation>();
  /** Those that a node was refused for: whoever has no use for their devices gives them back. */
  readonly unavailable = new Set<ClaimInfo>();

  constructor(all: readonly ClaimInfo[], allocator: Allocator | undefined) {
    this.all = all;
    this.allocator = allocator;
  }

  clone(): this {
    return this;
  }

  /** Those that have no devices. */
  get open(): readonly ClaimInfo[] {
    return this.all.filter(({ claim }) => !isAllocated(claim));
  }
}

export const isAllocated = (claim: JsonObject): boolean => has(objectAt(claim, 'status'), 'allocation');

export const STATE: StateKey<Claims> = { name: 'DynamicResources' };
