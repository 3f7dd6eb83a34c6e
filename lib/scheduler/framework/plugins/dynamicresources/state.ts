import type { AllocationResult, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import type { NodeSelector } from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import type { Allocator } from '#lib/helpers/dynamic-resource-allocation/structured/allocator.ts';
import type { StateData, StateKey } from '../../cycle-state.ts';
import type { DeviceRequests } from './device-requests.ts';
import type { ExtendedResources } from './extended-resources.ts';

/** One of a pod's claims in an attempt to place the pod. */
export interface ClaimInfo {
  /** The claim as it was found, later as it was written. */
  claim: ResourceClaim;
  /** The nodes that can use its devices, if not all can. */
  readonly availableOn: NodeSelector | undefined;
  /** The allocation that `reserve` gave it, which is yet to be written. */
  allocation?: AllocationResult;
  /** The extended resources that the claim stands for, if it is for such. */
  readonly extended?: ExtendedResources;
}

/** The allocations that a pod's claims would get on a node. */
export interface NodeAllocation {
  /** The allocation of each claim that has no devices yet, and needs some there. */
  readonly found: ReadonlyMap<ClaimInfo, AllocationResult>;
  /** The requests of the claim for extended resources there. */
  readonly extended: DeviceRequests | undefined;
}

/** The claims of a pod during an attempt. Dry runs of preemption share it: devices do not depend on other pods. */
export class Claims implements StateData {
  readonly all: readonly ClaimInfo[];
  /** The allocator, if some claims have no devices yet. */
  readonly allocator: Allocator | undefined;
  readonly byNode = new Map<string, NodeAllocation>();
  /** The claims that a node was refused for: their devices may be released. */
  readonly unavailable = new Set<ClaimInfo>();

  constructor(all: readonly ClaimInfo[], allocator: Allocator | undefined) {
    this.all = all;
    this.allocator = allocator;
  }

  clone(): this {
    return this;
  }

  /** The claims without devices. */
  get open(): readonly ClaimInfo[] {
    return this.all.filter(({ claim }) => !isAllocated(claim));
  }
}

/** Whether the claim has an allocation. */
export const isAllocated = ({ status }: ResourceClaim): boolean => status.allocation !== undefined;

/** The key of the plugin's cycle state. */
export const STATE: StateKey<Claims> = { name: 'DynamicResources' };
