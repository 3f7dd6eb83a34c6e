import type { JsonObject } from '#lib/machinery/json-value.ts';

export const DRIVER = 'dra.example.com';

/** A slice of the driver's pool `pool`, whole and for all nodes unless said otherwise. */
export const aSlice = (name: string, devices: readonly JsonObject[], spec: JsonObject = {}): JsonObject => ({
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

export const aDeviceClass = (name = 'class', spec: JsonObject = {}): JsonObject => ({ metadata: { name }, spec });

/** A request for one device of the class `class`. */
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
): JsonObject => ({
  metadata: { namespace: 'default', name, uid: `uid-${name}`, resourceVersion: '1' },
  spec: { devices: { requests: [...requests], ...devices } },
  status: {},
});

/** Has these devices of the pool `pool`, for all nodes unless said otherwise. */
export const allocated = (claim: JsonObject, devices: readonly string[], more: JsonObject = {}): JsonObject => ({
  ...claim,
  status: {
    allocation: {
      devices: { results: devices.map((device) => ({ request: 'r', driver: DRIVER, pool: 'pool', device, ...more })) },
    },
  },
});

export const cel = (expression: string): JsonObject => ({ cel: { expression } });
