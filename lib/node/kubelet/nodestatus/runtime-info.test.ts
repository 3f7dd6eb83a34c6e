import { expect, test } from 'vitest';
import type { NodeStatus } from '#lib/api/types/core.v1.ts';
import { VersionResponse } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { initialNode } from '../initial-node.ts';
import { someFacts } from '../testing/facts.ts';
import { containerRuntimeVersion, type RuntimeFacts, setRuntimeInfo } from './runtime-info.ts';

const NONE: RuntimeFacts = { handlers: [], features: undefined, images: [] };
const PLAIN = { labels: {}, taints: [], providerID: '' };

function statusOf(facts: Partial<RuntimeFacts>, before: Partial<NodeStatus> = {}): NodeStatus {
  const status = { ...initialNode(someFacts(), PLAIN, new Date(0)).status, ...before };
  setRuntimeInfo(status, { ...NONE, ...facts });
  return status;
}

test.each([
  ['1.6.20', 'containerd://1.6.20'],
  ['v1.7.2', 'containerd://1.7.2'],
  ['1.6.20~ds1', 'containerd://1.6.20'],
  ['2.0.0-rc.1+k8s', 'containerd://2.0.0-rc.1+k8s'],
  ['1.30', 'containerd://1.30'],
  ['none', 'containerd://Unknown'],
])('formats the runtime version %s as %s', (runtimeVersion, expected) => {
  const version = VersionResponse.fromPartial({ runtimeVersion });
  expect(containerRuntimeVersion('containerd', version)).toBe(expected);
});

test('reports the version Unknown for a runtime without a version', () => {
  expect(containerRuntimeVersion('containerd', undefined)).toBe('containerd://Unknown');
});

test('declares the supported features in the order that the API requires', () => {
  const declared = statusOf({}).declaredFeatures;
  expect(declared).toEqual([
    'InPlacePodLevelResourcesVerticalScaling',
    'InPlacePodVerticalScalingInitContainers',
    'RestartAllContainersOnContainerExits',
  ]);
});

test('reports the images, or none if the runtime cannot list them', () => {
  const images = [{ names: ['a'], sizeBytes: 1 }];
  expect(statusOf({ images }).images).toEqual(images);
  expect(statusOf({}, { images })).not.toHaveProperty('images');
});

test('reports the handlers, with missing features as unsupported', () => {
  const features = { recursiveReadOnlyMounts: true, userNamespaces: false };
  const handlers = [
    { name: '', features },
    { name: 'kata', features: undefined },
  ];
  expect(statusOf({ handlers }).runtimeHandlers).toEqual([
    { name: '', features },
    { name: 'kata', features: { recursiveReadOnlyMounts: false, userNamespaces: false } },
  ]);
});

test('reports the features, and keeps the previous ones if none are reported', () => {
  const features = { supplementalGroupsPolicy: true };
  expect(statusOf({ features: { ...features, userNamespacesHostNetwork: true } }).features).toEqual(features);
  expect(statusOf({}, { features }).features).toEqual(features);
});
