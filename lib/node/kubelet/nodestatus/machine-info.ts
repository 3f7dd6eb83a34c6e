import type { NodeStatus } from '#lib/api/types/core.v1.ts';
import { asObject, increase, type Usage, usageOf } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isHugePages, isNativeResource } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { bytesQuantity, capacityFromMachineInfo, type MachineInfo } from '../cadvisor.ts';
import type { ContainerManager, ResourceCounts } from '../cm/container-manager.ts';
import { type NodeAllocatableConfig, nodeAllocatableReservation } from '../cm/node-allocatable.ts';

/** The facts that determine a node's capacity and allocatable. */
export interface MachineFacts {
  readonly machine: MachineInfo;
  /** Size in bytes of the file system with the agent's directory. */
  readonly storage: number;
  readonly maxPods: number;
  readonly reserved: NodeAllocatableConfig;
  /** Resources of device plugins (ContainerManager.devicePluginResources). Absent without plugins. */
  readonly devices?: DeviceResources;
}

/** The devices of plugins: all, the healthy ones, and the names of removed resources. */
export type DeviceResources = ReturnType<ContainerManager['devicePluginResources']>;

/** Sets ids, capacity and allocatable of the machine in a status (upstream: the setter MachineInfo). Resources added by others stay. */
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

/** An extended resource is removed together with its capacity. Others stay. */
const isKept = (name: string, capacity: Usage): boolean => capacity.has(name) || isNativeResource(name);

/** The allocatable part of the capacity. Huge pages are subtracted from the memory. */
function allocatable(capacity: Usage, reservation: Usage): Usage {
  const left = increase(capacity, reservation);
  const pages = [...capacity].filter(([name]) => isHugePages(name));
  return pages.reduce<Usage>((rest, [, value]) => increase(rest, new Map([['memory', value]])), left);
}
