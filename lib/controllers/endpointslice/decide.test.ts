import { describe, expect, test } from 'vitest';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import { decideSlices } from './decide.ts';
import type { Changes } from './pack.ts';

const aService = (spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
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
) => ({
  metadata: { name, namespace: 'here', uid: `${name}-uid`, ...given.metadata },
  spec: {
    nodeName: 'node',
    containers: [{ ports: [{ name: 'sql', containerPort: 5432, protocol: 'TCP' }] }],
    ...given.spec,
  },
  status: { podIP: ip, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }], ...given.status },
});

const NODE: JsonObject = { metadata: { name: 'node', labels: { 'topology.kubernetes.io/zone': 'a' } } };
const NODES = new Map([['node', NODE]]);

/** What a server would hold after the changes. */
function stored(slices: readonly JsonObject[], changes: Changes): JsonObject[] {
  const named = changes.create.map((slice, index) => ({
    ...slice,
    metadata: { ...objectAt(slice, 'metadata'), name: `new-${slices.length}-${index}`, uid: `${index}` },
  }));
  const written = new Map([...slices, ...changes.update, ...named].map((slice) => [nameOf(slice), slice]));
  for (const slice of changes.delete) written.delete(nameOf(slice));
  return [...written.values()];
}

const settle = (service: JsonObject, pods: readonly JsonObject[], slices: readonly JsonObject[] = []): JsonObject[] =>
  stored(slices, decideSlices({ service, pods, nodes: NODES, slices }));

const many = (count: number, from = 0): JsonObject[] =>
  Array.from({ length: count }, (_, i) =>
    aPod(`p${from + i}`, `10.1.${Math.floor((from + i) / 200)}.${(from + i) % 200}`),
  );

const counts = (changes: Changes): number[] =>
  [changes.create, changes.update, changes.delete].map((one) => one.length);
const sizes = (slices: readonly JsonObject[]): number[] => slices.map((slice) => items(slice, 'endpoints').length);

describe('an endpoint', () => {
  const conditions = (ready: boolean, serving: boolean, terminating: boolean) => ({ ready, serving, terminating });
  const unready = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
  const going = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

  test.each([
    ['a ready pod', {}, {}, conditions(true, true, false)],
    ['an unready pod', unready, {}, conditions(false, false, false)],
    ['a pod that goes', going, {}, conditions(false, true, true)],
    ['an unready pod that is published', unready, { publishNotReadyAddresses: true }, conditions(true, false, false)],
  ])('%s', (_, pod, spec, expected) => {
    const [slice] = settle(aService(spec), [aPod('p', '10.1.0.1', pod)]);
    expect(items(slice, 'endpoints')).toEqual([
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
    ['is over', { status: { phase: 'Succeeded' } }],
    ['has failed', { status: { phase: 'Failed' } }],
    ['has no address', { status: { podIP: '', podIPs: [] } }],
    ['is on a node that is not there', { spec: { nodeName: 'gone' } }],
  ])('is not of a pod that %s', (_, pod) => {
    expect(sizes(settle(aService(), [aPod('p', '10.1.0.1', pod)]))).toEqual([0]);
  });

  test('has the name that the pod has in the service', () => {
    const pods = [
      aPod('p', '10.1.0.1', { spec: { hostname: 'p', subdomain: 'db' } }),
      aPod('q', '10.1.0.2', { spec: { hostname: 'q', subdomain: 'other' } }),
    ];
    const [slice] = settle(aService(), pods);
    expect(items(slice, 'endpoints').map((one) => text(one, 'hostname'))).toEqual(['p', '']);
  });
});

describe('slices', () => {
  test('pods with other numbers of a named port have slices of their own', () => {
    const ports = [{ name: 'sql', containerPort: 6432, protocol: 'TCP' }];
    const slices = settle(aService(), [
      aPod('p', '10.1.0.1'),
      aPod('q', '10.1.0.2', { spec: { containers: [{ ports }], nodeName: 'node' } }),
    ]);
    expect(slices.map((slice) => items(slice, 'ports')[0]?.['port']).sort()).toEqual([5432, 6432]);
  });

  test('each family has its own', () => {
    const pod = aPod('p', '10.1.0.1', { status: { podIPs: [{ ip: '10.1.0.1' }, { ip: 'fd00::1' }] } });
    const slices = settle(aService({ ipFamilies: ['IPv6', 'IPv4'] }), [pod]);
    expect(
      slices.map((slice) => [text(slice, 'addressType'), texts(items(slice, 'endpoints')[0], 'addresses')]),
    ).toEqual([
      ['IPv6', ['fd00::1']],
      ['IPv4', ['10.1.0.1']],
    ]);
    const changes = decideSlices({ service: aService(), pods: [pod], nodes: NODES, slices });
    expect(counts(changes)).toEqual([0, 0, 1]);
  });

  test.each([
    ['with an address', {}, undefined],
    ['headless', { clusterIP: 'None' }, ''],
  ])('say whose they are: a service %s', (_, spec, headless) => {
    const [slice] = settle(aService(spec, { labels: { a: 'b', 'kubernetes.io/service-name': 'lie' } }), []);
    const labels = labelsOf(slice ?? {});
    expect({ ...labels }).toEqual({
      a: 'b',
      'kubernetes.io/service-name': 'db',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      ...(headless === undefined ? {} : { 'service.kubernetes.io/headless': headless }),
    });
  });

  test('a service that reaches nothing keeps one empty slice, and writes over it when it does', () => {
    const slices = settle(aService(), []);
    expect(sizes(slices)).toEqual([0]);
    expect(counts(decideSlices({ service: aService(), pods: [], nodes: NODES, slices }))).toEqual([0, 0, 0]);
    expect(counts(decideSlices({ service: aService(), pods: many(1), nodes: NODES, slices }))).toEqual([0, 1, 0]);
    const changes = decideSlices({ service: aService({}, { labels: { a: 'b' } }), pods: [], nodes: NODES, slices });
    expect(counts(changes)).toEqual([0, 1, 0]);
  });

  test('those of another service of that name go, and are not written over', () => {
    const slices = settle(aService(), many(1));
    const service = aService({}, { uid: 'another' });
    expect(counts(decideSlices({ service, pods: many(1), nodes: NODES, slices }))).toEqual([1, 0, 1]);
  });

  test('a service that goes gets no new ones', () => {
    const service = aService({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(counts(decideSlices({ service, pods: many(1), nodes: NODES, slices: [] }))).toEqual([0, 0, 0]);
  });
});

describe('packing', () => {
  const full = settle(aService(), many(250));

  test('fills slices of a hundred', () => expect(sizes(full)).toEqual([100, 100, 50]));

  test.each([
    ['nothing', many(250), [0, 0, 0]],
    ['one more: into the one with room', many(251), [0, 1, 0]],
    ['one less: out of its own', many(249), [0, 1, 0]],
    ['a full slice more: beside the others', many(350), [1, 0, 0]],
    ['the first hundred less: its slice goes', many(150, 100), [0, 0, 1]],
    ['another pod in a place: in the slice that is written anyway', [...many(249, 1), ...many(1, 700)], [0, 1, 0]],
  ])('%s', (_, pods, expected) => {
    const changes = decideSlices({ service: aService(), pods, nodes: NODES, slices: full });
    expect(counts(changes)).toEqual(expected);
    const after = stored(full, changes);
    expect(sizes(after).reduce((sum, one) => sum + one)).toBe(pods.length);
    expect(counts(decideSlices({ service: aService(), pods, nodes: NODES, slices: after }))).toEqual([0, 0, 0]);
  });
});

describe('hints', () => {
  const hintsWith = (spec: JsonObject, metadata: JsonObject = {}) =>
    items(settle(aService(spec, metadata), many(1))[0], 'endpoints')[0]?.['hints'];
  const zone = { forZones: [{ name: 'a' }] };

  test.each([
    ['none', {}, undefined],
    ['PreferClose', { trafficDistribution: 'PreferClose' }, zone],
    ['PreferSameZone', { trafficDistribution: 'PreferSameZone' }, zone],
    ['PreferSameNode', { trafficDistribution: 'PreferSameNode' }, { ...zone, forNodes: [{ name: 'node' }] }],
  ])('%s', (_, spec, expected) => expect(hintsWith(spec)).toEqual(expected));

  test('change with the service alone', () => {
    const slices = settle(aService(), many(3));
    const service = aService({ trafficDistribution: 'PreferClose' });
    const changes = decideSlices({ service, pods: many(3), nodes: NODES, slices });
    expect(counts(changes)).toEqual([0, 1, 0]);
    expect(
      counts(decideSlices({ service: aService(), pods: many(3), nodes: NODES, slices: stored(slices, changes) })),
    ).toEqual([0, 1, 0]);
  });
});
