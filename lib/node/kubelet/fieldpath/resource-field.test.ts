import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  allocatableResourceValue,
  containerResourceValue,
  defaultLimits,
  podResourceValue,
  withDefaultLimits,
  withDefaultPodLimits,
} from './resource-field.ts';

const podOf = (spec: JsonObject) => decodedAs(PODS, { metadata: { name: 'p' }, spec: { containers: [], ...spec } });
const containerOf = (resources: JsonObject) => {
  const [container] = podOf({ containers: [{ name: 'c', resources }] }).spec.containers ?? [];
  if (container === undefined) throw new TypeError('no container');
  return container;
};

test.each([
  ['limits.cpu', '0', { limits: { cpu: '9' } }, '9'],
  ['limits.cpu', '1m', { limits: { cpu: '1500m' } }, '1500'],
  ['limits.cpu', '1', { limits: { cpu: '1500m' } }, '2'],
  ['requests.cpu', '0', { requests: { cpu: '100m' } }, '1'],
  ['requests.cpu', '1m', {}, '0'],
  ['limits.memory', '1Mi', { limits: { memory: '1025Ki' } }, '2'],
  ['requests.memory', '1', { requests: { memory: '1Gi' } }, '1073741824'],
  ['requests.memory', '1Gi', { requests: { memory: '100Mi' } }, '1'],
  ['limits.ephemeral-storage', '1M', { limits: { 'ephemeral-storage': '1500k' } }, '2'],
  ['requests.ephemeral-storage', '0', { requests: { 'ephemeral-storage': '1k' } }, '1000'],
  ['limits.hugepages-2Mi', '1Mi', { limits: { 'hugepages-2Mi': '4Mi' } }, '4'],
  ['requests.hugepages-1Gi', '0', {}, '0'],
])('computes %s in units of %s', (resource, divisor, resources, value) => {
  expect(containerResourceValue({ resource, divisor }, containerOf(resources))).toBe(value);
});

test.each(['limits.example.com/gpu', 'cpu', 'status.cpu', 'limits.', ''])(
  'rejects %j, which is not a downward API resource',
  (resource) => {
    expect(() => containerResourceValue({ resource, divisor: '0' }, containerOf({}))).toThrow(
      `unsupported container resource : ${resource}`,
    );
  },
);

const allocatable = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '10Gi', pods: '110', 'hugepages-2Mi': '0' };

test("uses the node's limits for a container without limits, except huge pages", () => {
  expect(withDefaultLimits(containerOf({}), allocatable).resources.limits).toEqual({
    cpu: '4',
    memory: '8Gi',
    'ephemeral-storage': '10Gi',
  });
});

test('treats a limit of zero as missing and keeps any other', () => {
  const { limits } = withDefaultLimits(containerOf({ limits: { cpu: '0', memory: '1Gi' } }), allocatable).resources;
  expect(limits).toEqual({ cpu: '4', memory: '1Gi', 'ephemeral-storage': '10Gi' });
});

test("prefers pod-level limits to the node's", () => {
  const pod = podOf({ resources: { limits: { cpu: '2', memory: '0' } } });
  expect(defaultLimits(pod, allocatable)).toEqual({ ...allocatable, cpu: '2' });
});

test('sets no default limits for init containers', () => {
  const pod = podOf({ containers: [{ name: 'c' }], initContainers: [{ name: 'i' }] });
  const { containers, initContainers } = withDefaultPodLimits(pod, allocatable).spec;
  expect(containers?.[0]?.resources.limits).toMatchObject({ cpu: '4' });
  expect(initContainers?.[0]?.resources.limits).toBeUndefined();
});

test('selects the named container, or else the container itself', () => {
  const pod = podOf({
    containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }],
    initContainers: [{ name: 'i', resources: { limits: { cpu: '3' } } }],
  });
  const ref = { resource: 'limits.cpu', divisor: '0' };
  expect(podResourceValue({ ...ref, containerName: 'i' }, pod)).toBe('3');
  expect(podResourceValue(ref, pod, containerOf({ limits: { cpu: '7' } }))).toBe('7');
  expect(() => podResourceValue({ ...ref, containerName: 'x' }, pod)).toThrow('container x not found');
});

test("returns the node's allocatable memory in a volume for a container without a limit", () => {
  const pod = podOf({ containers: [{ name: 'c' }], initContainers: [{ name: 'i' }] });
  const ref = { containerName: 'i', resource: 'limits.memory', divisor: '1Gi' };
  expect(allocatableResourceValue(ref, pod, allocatable)).toBe('8');
});
