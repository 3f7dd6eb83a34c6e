import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod, Service } from '#lib/api/types/core.v1.ts';
import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { NODES, PODS, SERVICES } from '#lib/api/types/resources.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { decideSlices } from './decide.ts';
import type { Changes } from './pack.ts';

const aService = (spec: JsonObject = {}, metadata: JsonObject = {}): Service =>
  decodedAs(SERVICES, {
    metadata: { name: 'db', namespace: 'here', uid: 'service-uid', ...metadata },
    spec: {
      clusterIP: '10.0.0.1',
      ipFamilies: ['IPv4'],
      selector: { app: 'db' },
      ports: [{ name: 'sql', port: 1, targetPort: 'sql', protocol: 'TCP' }],
      ...spec,
    },
  });

const aPod = (
  name: string,
  ip: string,
  given: { spec?: JsonObject; status?: JsonObject; metadata?: JsonObject } = {},
): Pod =>
  decodedAs(PODS, {
    metadata: { name, namespace: 'here', uid: `${name}-uid`, ...given.metadata },
    spec: {
      nodeName: 'node',
      containers: [{ ports: [{ name: 'sql', containerPort: 5432, protocol: 'TCP' }] }],
      ...given.spec,
    },
    status: { podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }], ...given.status },
  });

const node = decodedAs(NODES, { metadata: { name: 'node', labels: { 'topology.kubernetes.io/zone': 'a' } } });
const nodes = new Map([['node', node]]);

/** The slices that a server stores after the changes. */
function stored(slices: readonly EndpointSlice[], changes: Changes): EndpointSlice[] {
  const named = changes.create.map((slice, index) => ({
    ...slice,
    metadata: { ...slice.metadata, name: `new-${slices.length}-${index}`, uid: `${index}` },
  }));
  const written = new Map([...slices, ...changes.update, ...named].map((slice) => [nameOf(slice), slice]));
  for (const slice of changes.delete) written.delete(nameOf(slice));
  return [...written.values()];
}

const settle = (service: Service, pods: readonly Pod[], slices: readonly EndpointSlice[] = []): EndpointSlice[] =>
  stored(slices, decideSlices({ service, pods, nodes, slices }));

const many = (count: number, from = 0): Pod[] =>
  Array.from({ length: count }, (_, i) =>
    aPod(`p${from + i}`, `10.1.${Math.floor((from + i) / 200)}.${(from + i) % 200}`),
  );

const counts = (changes: Changes): number[] =>
  [changes.create, changes.update, changes.delete].map((one) => one.length);
const sizes = (slices: readonly EndpointSlice[]): number[] => slices.map(({ endpoints }) => (endpoints ?? []).length);

describe('the endpoint of a pod', () => {
  const conditions = (ready: boolean, serving: boolean, terminating: boolean) => ({ ready, serving, terminating });
  const unready = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
  const going = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

  test.each([
    ['a ready pod', {}, {}, conditions(true, true, false)],
    ['an unready pod', unready, {}, conditions(false, false, false)],
    ['a pod that is being deleted', going, {}, conditions(false, true, true)],
    ['an unready pod that is published', unready, { publishNotReadyAddresses: true }, conditions(true, false, false)],
  ])('has the conditions of %s', (_, pod, spec, expected) => {
    const [slice] = settle(aService(spec), [aPod('p', '10.1.0.1', pod)]);
    expect(slice?.endpoints).toEqual([
      {
        addresses: ['10.1.0.1'],
        conditions: expected,
        targetRef: { kind: 'Pod', namespace: 'here', name: 'p', uid: 'p-uid' },
        nodeName: 'node',
        zone: 'a',
      },
    ]);
  });

  test.each([
    ['has succeeded', { status: { phase: 'Succeeded' } }],
    ['has failed', { status: { phase: 'Failed' } }],
    ['has no address', { status: { podIP: '', podIPs: [] } }],
    ['is on a node that does not exist', { spec: { nodeName: 'gone' } }],
  ])('omits a pod that %s', (_, pod) => {
    expect(sizes(settle(aService(), [aPod('p', '10.1.0.1', pod)]))).toEqual([0]);
  });

  test('has the hostname of the pod in the service', () => {
    const pods = [
      aPod('p', '10.1.0.1', { spec: { hostname: 'p', subdomain: 'db' } }),
      aPod('q', '10.1.0.2', { spec: { hostname: 'q', subdomain: 'other' } }),
    ];
    const [slice] = settle(aService(), pods);
    expect(slice?.endpoints?.map(({ hostname }) => hostname)).toEqual(['p', undefined]);
  });
});

describe('the slices of a service', () => {
  test('are separate for pods with different numbers of a named port', () => {
    const ports = [{ name: 'sql', containerPort: 6432, protocol: 'TCP' }];
    const slices = settle(aService(), [
      aPod('p', '10.1.0.1'),
      aPod('q', '10.1.0.2', { spec: { containers: [{ ports }], nodeName: 'node' } }),
    ]);
    expect(slices.map((slice) => slice.ports?.[0]?.port).sort()).toEqual([5432, 6432]);
  });

  test('are separate for each address family', () => {
    const pod = aPod('p', '10.1.0.1', { status: { podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }] } });
    const slices = settle(aService({ ipFamilies: ['IPv6', 'IPv4'] }), [pod]);
    expect(slices.map(({ addressType, endpoints }) => [addressType, endpoints?.[0]?.addresses])).toEqual([
      ['IPv6', ['fd00::1']],
      ['IPv4', ['10.1.0.1']],
    ]);
    const changes = decideSlices({ service: aService(), pods: [pod], nodes, slices });
    expect(counts(changes)).toEqual([0, 0, 1]);
  });

  test.each([
    ['with an address', {}, undefined],
    ['headless', { clusterIP: 'None' }, ''],
  ])('name their service in labels: a service %s', (_, spec, headless) => {
    const [slice] = settle(aService(spec, { labels: { a: 'b', 'kubernetes.io/service-name': 'lie' } }), []);
    const labels = labelsOf(slice ?? {});
    expect({ ...labels }).toEqual({
      a: 'b',
      'kubernetes.io/service-name': 'db',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      ...defined({ 'service.kubernetes.io/headless': headless }),
    });
  });

  test('are one empty and reusable slice for a service without endpoints', () => {
    const slices = settle(aService(), []);
    expect(sizes(slices)).toEqual([0]);
    expect(counts(decideSlices({ service: aService(), pods: [], nodes, slices }))).toEqual([0, 0, 0]);
    expect(counts(decideSlices({ service: aService(), pods: many(1), nodes, slices }))).toEqual([0, 1, 0]);
    const changes = decideSlices({ service: aService({}, { labels: { a: 'b' } }), pods: [], nodes, slices });
    expect(counts(changes)).toEqual([0, 1, 0]);
  });

  test('are deleted, not reused, if they belong to a deleted service of the same name', () => {
    const slices = settle(aService(), many(1));
    const service = aService({}, { uid: 'another' });
    expect(counts(decideSlices({ service, pods: many(1), nodes, slices }))).toEqual([1, 0, 1]);
  });

  test('are not created for a service that is being deleted', () => {
    const service = aService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(counts(decideSlices({ service, pods: many(1), nodes, slices: [] }))).toEqual([0, 0, 0]);
  });
});

describe('packing endpoints into slices', () => {
  const full = settle(aService(), many(250));

  test('fills slices with 100 endpoints each', () => expect(sizes(full)).toEqual([100, 100, 50]));

  test.each([
    ['makes no write without a change', many(250), [0, 0, 0]],
    ['adds one endpoint to the slice with room', many(251), [0, 1, 0]],
    ['removes one endpoint from its slice', many(249), [0, 1, 0]],
    ['creates a slice for 100 more endpoints', many(350), [1, 0, 0]],
    ['deletes the slice of 100 removed endpoints', many(150, 100), [0, 0, 1]],
    ['puts a new endpoint into a slice that is written anyway', [...many(249, 1), ...many(1, 700)], [0, 1, 0]],
  ])('packing the endpoints %s', (_, pods, expected) => {
    const changes = decideSlices({ service: aService(), pods, nodes, slices: full });
    expect(counts(changes)).toEqual(expected);
    const after = stored(full, changes);
    expect(sizes(after).reduce((sum, one) => sum + one)).toBe(pods.length);
    expect(counts(decideSlices({ service: aService(), pods, nodes, slices: after }))).toEqual([0, 0, 0]);
  });
});

describe('the hints of endpoints', () => {
  const hintsWith = (spec: JsonObject, metadata: JsonObject = {}) =>
    settle(aService(spec, metadata), many(1))[0]?.endpoints?.[0]?.hints;
  const zone = { forZones: [{ name: 'a' }] };

  test.each([
    ['none', {}, undefined],
    ['PreferClose', { trafficDistribution: 'PreferClose' }, zone],
    ['PreferSameZone', { trafficDistribution: 'PreferSameZone' }, zone],
    ['PreferSameNode', { trafficDistribution: 'PreferSameNode' }, { ...zone, forNodes: [{ name: 'node' }] }],
  ])('follow the traffic distribution: %s', (_, spec, expected) => expect(hintsWith(spec)).toEqual(expected));

  test('change when only the service changes', () => {
    const slices = settle(aService(), many(3));
    const service = aService({ trafficDistribution: 'PreferClose' });
    const changes = decideSlices({ service, pods: many(3), nodes, slices });
    expect(counts(changes)).toEqual([0, 1, 0]);
    expect(
      counts(decideSlices({ service: aService(), pods: many(3), nodes, slices: stored(slices, changes) })),
    ).toEqual([0, 1, 0]);
  });
});
