import type { ContainerDevices } from '#lib/node/kubelet-api/generated/podresources-v1.ts';
import type { DevicesPerNUMA } from '../../cm/devicemanager/checkpoint/checkpoint.ts';
import { NODE_WITHOUT_TOPOLOGY } from '../../cm/devicemanager/constants.ts';

/** Devices in the format of the pod resources API: one entry for each device and NUMA node. */
export const containerDevices = (byResource: ReadonlyMap<string, DevicesPerNUMA>): ContainerDevices[] =>
  [...byResource].flatMap(([resourceName, byNode]) =>
    [...byNode].flatMap(([node, ids]) =>
      ids.map((id) => ({
        resourceName,
        deviceIds: [id],
        topology: node === NODE_WITHOUT_TOPOLOGY ? undefined : { nodes: [{ ID: node }] },
      })),
    ),
  );
