import { decodedAs } from '#lib/api/testing.ts';
import type { DeviceClass, ResourceClaim, ResourceSlice } from '#lib/api/types/resource.v1.ts';
import { DEVICE_CLASSES, RESOURCE_CLAIMS, RESOURCE_SLICES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

export const DRIVER = 'dra.example.com';

/** A slice of the driver's pool `pool`. By default it is the only slice of the pool and available on all nodes. */
export const aSlice = (name: string, devices: readonly JsonObject[], spec: JsonObject = {}): ResourceSlice =>
  decodedAs(RESOURCE_SLICES, {
    metadata: { name },
    spec: {
      driver: DRIVER,
      pool: { name: 'pool', generation: 1, resourceSliceCount: 1 },
      ...(['nodeName', 'nodeSelector', 'perDeviceNodeSelection', 'sharedCounters'].some((one) => one in spec)
        ? {}
        : { allNodes: true }),
      devices: [...devices],
      ...spec,
    },
  });

export const aDevice = (name: string, more: JsonObject = {}): JsonObject => ({ name, ...more });

export const aDeviceClass = (name = 'class', spec: JsonObject = {}): DeviceClass =>
  decodedAs(DEVICE_CLASSES, { metadata: { name }, spec });

/** A request for one device of class `class`. */
export const aRequest = (name = 'r', exactly: JsonObject = {}): JsonObject => ({
  name,
  exactly: { deviceClassName: 'class', allocationMode: 'ExactCount', count: 1, ...exactly },
});

/** An alternative of a request. */
export const anAlternative = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  deviceClassName: 'class',
  allocationMode: 'ExactCount',
  count: 1,
  ...more,
});

export const aResourceClaim = (
  name: string,
  requests: readonly JsonObject[],
  devices: JsonObject = {},
): ResourceClaim =>
  decodedAs(RESOURCE_CLAIMS, {
    metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: '1' },
    spec: { devices: { requests: [...requests], ...devices } },
  });

/** The claim with these devices of pool `pool` allocated, for all nodes. */
export const allocated = (claim: ResourceClaim, devices: readonly string[], more: JsonObject = {}): ResourceClaim =>
  decodedAs(RESOURCE_CLAIMS, {
    ...claim,
    status: {
      allocation: {
        devices: {
          results: devices.map((device) => ({ request: 'r', driver: DRIVER, pool: 'pool', device, ...more })),
        },
      },
    },
  });

export const cel = (expression: string): JsonObject => ({ cel: { expression } });
