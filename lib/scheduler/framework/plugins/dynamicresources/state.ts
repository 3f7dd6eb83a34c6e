import type { AllocationResult, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import type { NodeSelector } from '#lib/helpers/component-helpers/scheduling/corev1/node-affinity.ts';
import type { Allocator } from '#lib/helpers/dynamic-resource-allocation/structured/allocator.ts';
import type { StateData, StateKey } from '../../cycle-state.ts';
import type { DeviceRequests } from './device-requests.ts';
import type { ExtendedResources } from './extended-resources.ts';

/** One of a pod's claims in an attempt to place the pod. */
export interface ClaimInfo {
  /** The claim as read, later as written. */
  claim: ResourceClaim;
  /** The nodes that can use its devices; undefined if all can. */
  readonly availableOn: NodeSelector | undefined;
  /** The allocation made by `reserve` and not written yet. */
  allocation?: AllocationResult;
  /** The extended resources that the claim provides, if it is a claim for extended resources. */
  readonly extended?: ExtendedResources;
}

/** The allocations that a pod's claims would get on a node. */
export interface NodeAllocation {
  /** The allocation of each claim that has no devices yet and needs some on this node. */
  readonly found: ReadonlyMap<ClaimInfo, AllocationResult>;
  /** The requests of the claim for extended resources on this node. */
  readonly extended: DeviceRequests | undefined;
}

/** The claims of a pod during an attempt. Trials of preemption share it, because devices do not depend on other pods. */
export class Claims implements StateData {
  readonly all: readonly ClaimInfo[];
  /** The allocator, if some claims have no devices yet. */
  readonly allocator: Allocator | undefined;
  readonly byNode = new Map<string, NodeAllocation>();
  /** The claims that caused a refusal. Their devices may be released. */
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
