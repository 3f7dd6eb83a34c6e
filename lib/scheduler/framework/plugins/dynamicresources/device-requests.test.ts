import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { deviceRequests } from './device-requests.ts';

const GPU = 'example.com/gpu';
const aContainer = (name: string, gpus: number, more: JsonObject = {}): JsonObject => ({
  name,
  resources: { requests: { cpu: '1', ...(gpus === 0 ? {} : { [GPU]: `${gpus}` }) } },
  ...more,
});
const sidecar: JsonObject = { restartPolicy: 'Always' };
const aPod = (initContainers: JsonObject[], ...containers: JsonObject[]): Pod =>
  decodedAs(PODS, { spec: { initContainers, containers } });

test.each<[string, Pod, string[], string[]]>([
  ['a container', aPod([], aContainer('a', 1)), ['container-0-request-1 1'], ['a container-0-request-1']],
  ['a container without requests', aPod([], aContainer('a', 0)), [], []],
  [
    'two containers',
    aPod([], aContainer('a', 1), aContainer('b', 2)),
    ['container-0-request-1 1', 'container-1-request-1 2'],
    ['a container-0-request-1', 'b container-1-request-1'],
  ],
  [
    'an init container that reuses later devices',
    aPod([aContainer('i', 1)], aContainer('a', 2)),
    ['container-1-request-1 2'],
    ['a container-1-request-1', 'i container-1-request-1'],
  ],
  [
    'an init container that needs more than later ones',
    aPod([aContainer('i', 3)], aContainer('a', 2)),
    ['container-0-request-1 1', 'container-1-request-1 2'],
    ['a container-1-request-1', 'i container-1-request-1', 'i container-0-request-1'],
  ],
  [
    'two init containers in sequence',
    aPod([aContainer('i', 1), aContainer('j', 2)], aContainer('a', 0)),
    ['container-1-request-1 2'],
    ['i container-1-request-1', 'j container-1-request-1'],
  ],
  [
    'an init container next to a sidecar',
    aPod([aContainer('s', 1, sidecar), aContainer('i', 1)], aContainer('a', 0)),
    ['container-0-request-1 1', 'container-1-request-1 1'],
    ['s container-0-request-1', 'i container-1-request-1'],
  ],
])('creates the device requests for %s', (_, pod, requests, mappings) => {
  const made = deviceRequests(pod, new Map([[GPU, 'gpus']]));
  expect(made.requests.map((one) => `${one.name} ${one.exactly?.count}`)).toEqual(requests);
  expect(made.requests.every((one) => one.exactly?.deviceClassName === 'gpus')).toBe(true);
  const named = made.mappings.map(({ containerName, requestName }) => `${containerName} ${requestName}`);
  expect(named).toEqual(mappings);
});
