import { expect, test } from 'vitest';
import {
  DEVICE_CLASSES,
  RESOURCE_CLAIM_TEMPLATES,
  RESOURCE_CLAIMS,
  RESOURCE_SLICES,
} from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { created, refusals, updated, updateRefusals } from '../proof/strategy-proof.conformance.ts';

const request = (rest: JsonObject = {}): JsonObject => ({ name: 'r', exactly: { deviceClassName: 'c', ...rest } });
const claim = (devices: JsonObject = { requests: [request()] }): JsonObject => ({
  metadata: { name: 'c', namespace: 'default' },
  spec: { devices },
});
const slice = (...devices: JsonObject[]): JsonObject => ({
  spec: { driver: 'd.io', nodeName: 'n', pool: { name: 'p', resourceSliceCount: 1 }, devices },
});
const result = { request: 'r', driver: 'd.io', pool: 'p', device: 'a' };
const allocation = { devices: { results: [result] } };

test('defaults to one device per request and sets the time of taints', () => {
  expect(created(RESOURCE_CLAIMS, claim())).toMatchObject({
    spec: { devices: { requests: [{ exactly: { allocationMode: 'ExactCount', count: 1 } }] } },
  });
  expect(created(RESOURCE_SLICES, slice({ name: 'a', taints: [{ key: 'k', effect: 'NoSchedule' }] }))).toMatchObject({
    spec: { devices: [{ taints: [{ timeAdded: '2026-01-02T03:04:05Z' }] }] },
  });
});

const UNKNOWN = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

const selecting = (expression: string): JsonObject => ({
  metadata: { name: 'c' },
  spec: { selectors: [{ cel: { expression } }] },
});
const loops = ['a', 'b', 'c'].reduceRight((inner, name) => `device.attributes.all(${name}, ${inner})`, 'true');

test.each<[string, GroupVersionResource, JsonObject, string[]]>([
  [
    'a selector that is not boolean',
    DEVICE_CLASSES,
    selecting('device.driver'),
    [
      'spec.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string',
    ],
  ],
  [
    'a selector above the cost limit',
    DEVICE_CLASSES,
    selecting(loops.replace('true', `device.attributes.all(d, ${loops})`)),
    ['spec.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit'],
  ],
  [
    'a request without a device',
    RESOURCE_CLAIMS,
    claim({ requests: [{ name: 'r' }] }),
    ['spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required'],
  ],
  [
    'a count and the allocation mode All',
    RESOURCE_CLAIMS,
    claim({ requests: [request({ allocationMode: 'All', count: 2 })] }),
    ["spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'"],
  ],
  [
    'duplicate requests',
    RESOURCE_CLAIMS,
    claim({ requests: [request(), request()] }),
    ['spec.devices.requests[1]: Duplicate value: "r"'],
  ],
  [
    'a constraint on an unknown request',
    RESOURCE_CLAIMS,
    claim({ requests: [request()], constraints: [{ requests: ['x'], matchAttribute: 'd.io/a' }] }),
    [`spec.devices.constraints[0].requests[0]: Invalid value: "x": ${UNKNOWN}`],
  ],
  [
    'a name in a claim template',
    RESOURCE_CLAIM_TEMPLATES,
    { spec: { metadata: { name: 'x' }, spec: claim()['spec'] ?? {} } },
    ['spec.metadata.name: Forbidden: cannot be set'],
  ],
  [
    'an invalid extended resource name',
    DEVICE_CLASSES,
    { spec: { extendedResourceName: 'cpu' } },
    ['spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name'],
  ],
  [
    'a slice without nodes',
    RESOURCE_SLICES,
    { spec: { driver: 'd.io', pool: { name: 'p', resourceSliceCount: 1 } } },
    [
      'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
    ],
  ],
  [
    'an attribute with two values',
    RESOURCE_SLICES,
    slice({ name: 'a', attributes: { x: { int: 1, bool: true } } }),
    [
      'spec.devices[0].attributes[x]: Invalid value: {"IntValue":1,"BoolValue":true,"StringValue":null,"VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified',
    ],
  ],
  [
    'an attribute with an invalid version',
    RESOURCE_SLICES,
    slice({ name: 'a', attributes: { x: { version: '1.0' } } }),
    [
      'spec.devices[0].attributes[x].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0',
    ],
  ],
  [
    'a request policy for a device without multiple allocations',
    RESOURCE_SLICES,
    slice({ name: 'a', capacity: { m: { value: '1', requestPolicy: {} } } }),
    ['spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true'],
  ],
  [
    'a default outside of the valid range',
    RESOURCE_SLICES,
    slice({
      name: 'a',
      allowMultipleAllocations: true,
      capacity: { m: { value: '4', requestPolicy: { default: '1', validRange: { min: '2' } } } },
    }),
    ['spec.devices[0].capacity[m].requestPolicy.validRange.min: Invalid value: "1": default is less than min: 2'],
  ],
  [
    'a default and a maximum between steps',
    RESOURCE_SLICES,
    slice({
      name: 'a',
      allowMultipleAllocations: true,
      capacity: {
        m: { value: '9', requestPolicy: { default: '3', validRange: { min: '1', max: '8', step: '3' } } },
        n: { value: '9', requestPolicy: { default: '4', validRange: { min: '1', max: '7', step: '3' } } },
        z: { value: '9', requestPolicy: { default: '4', validRange: { min: '1', step: '0' } } },
      },
    }),
    ['3', '8'].map(
      (value) =>
        `spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "${value}": value is not a multiple of a given step (3) from (1)`,
    ),
  ],
])('rejects a new object with %s', (_name, resource, object, want) => {
  expect(refusals(resource, object)).toEqual(want);
});

test.each<[string, JsonObject, string[]]>([
  ['an allocation', { allocation }, []],
  [
    'an allocation for an unknown request',
    { allocation: { devices: { results: [{ ...result, request: 'x' }] } } },
    [`status.allocation.devices.results[0].request: Invalid value: "x": ${UNKNOWN}`],
  ],
  [
    'a reservation without an allocation',
    { reservedFor: [{ resource: 'pods', name: 'p', uid: 'u' }] },
    ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
  ],
])('validates a status update with %s', (_name, status, want) => {
  expect(updateRefusals(RESOURCE_CLAIMS, { ...claim(), status }, claim(), 'status')).toEqual(want);
});

test('removes device statuses together with the allocation', () => {
  const device = { driver: 'd.io', pool: 'p', device: 'a' };
  const old = { ...claim(), status: { allocation, devices: [device] } };
  expect(updated(RESOURCE_CLAIMS, { ...claim(), status: { devices: [device] } }, old, 'status')['status']).toEqual({});
});
