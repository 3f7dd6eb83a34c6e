import type { ContainerStatus, ResourceStatus } from '#lib/api/types/core.v1.ts';
import { HEALTHY } from './constants.ts';
import { type DeviceAllocateInfo, idsOf } from './pod-devices.ts';

/**
 * A container's status with the current health of its devices. It replaces the earlier entries of these resources. A device that no plugin
 * reports counts as healthy, like upstream.
 */
export function withDeviceHealth(
  status: ContainerStatus,
  devices: ReadonlyMap<string, DeviceAllocateInfo>,
  healthOf: (resource: string, id: string) => string | undefined,
): ContainerStatus {
  const told = new Map<string, ResourceStatus>(
    (status.allocatedResourcesStatus ?? []).map((resource) => [resource.name, resource]),
  );
  for (const [name, { deviceIDs }] of devices) {
    if (deviceIDs.size === 0) continue;
    const resources = [...idsOf(deviceIDs)].map((id) => ({
      resourceID: id,
      health: (healthOf(name, id) ?? HEALTHY) === HEALTHY ? 'Healthy' : 'Unhealthy',
    }));
    told.set(name, { name, resources });
  }
  return told.size === 0 ? status : { ...status, allocatedResourcesStatus: [...told.values()] };
}
