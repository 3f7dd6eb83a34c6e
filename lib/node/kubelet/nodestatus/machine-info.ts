import type { NodeStatus } from '#lib/api/types/core.v1.ts';
import { asObject, increase, type Usage, usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isHugePages, isNativeResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { bytesQuantity, capacityFromMachineInfo, type MachineInfo } from '../cadvisor.ts';
import type { ContainerManager, ResourceCounts } from '../cm/container-manager.ts';
import { type NodeAllocatableConfig, nodeAllocatableReservation } from '../cm/node-allocatable.ts';

/** The facts that decide capacity and allocatable of a node. */
export interface MachineFacts {
  readonly machine: MachineInfo;
  /** Bytes of the file system of the agent's folder. */
  readonly storage: number;
  readonly maxPods: number;
  readonly reserved: NodeAllocatableConfig;
  /** Resources of device plugins (ContainerManager.devicePluginResources); absent without plugins. */
  readonly devices?: DeviceResources;
}

/** The devices that plugins offer: all, those that are healthy, and the names of resources that are gone. */
export type DeviceResources = ReturnType<ContainerManager['devicePluginResources']>;

/**
 * Writes ids, capacity and allocatable of the machine into a status, as upstream's setter MachineInfo. Resources that others added stay.
 */
export function setMachineInfo(status: NodeStatus, facts: MachineFacts): void {
  const { machine, storage, maxPods, reserved, devices } = facts;
  const { machineID, systemUUID, bootID, swapCapacity } = machine;
  Object.assign(status.nodeInfo, { machineID, systemUUID, bootID });
  if (swapCapacity > 0) status.nodeInfo.swap = { capacity: swapCapacity };
  const own = new Map([
    ...capacityFromMachineInfo(machine),
    ['pods', String(maxPods)] as const,
    ['ephemeral-storage', bytesQuantity(storage)] as const,
  ]);
  const gone = (devices?.removed ?? []).map((name) => [name, '0'] as const);
  const capacity: Usage = new Map([...usageOf(status.capacity), ...own, ...counts(devices?.capacity), ...gone]);
  const offered = allocatable(capacity, nodeAllocatableReservation(reserved, own));
  const others = [...usageOf(status.allocatable)].filter(([name]) => isKept(name, capacity));
  status.capacity = asObject(capacity);
  status.allocatable = asObject(new Map([...others, ...offered, ...counts(devices?.allocatable)]));
}

const counts = (resources: ResourceCounts = {}): (readonly [string, string])[] =>
  Object.entries(resources).map(([name, count]) => [name, String(count)]);

/** An extended resource goes with its capacity; others stay. */
const isKept = (name: string, capacity: Usage): boolean => capacity.has(name) || isNativeResource(name);

/** The part of the capacity that pods may have; huge pages are taken from the memory. */
function allocatable(capacity: Usage, reservation: Usage): Usage {
  const left = increase(capacity, reservation);
  const pages = [...capacity].filter(([name]) => isHugePages(name));
  return pages.reduce<Usage>((rest, [, value]) => increase(rest, new Map([['memory', value]])), left);
}
