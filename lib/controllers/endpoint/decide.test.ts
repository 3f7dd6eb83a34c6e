import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { EndpointSubset, Pod, Service } from '#lib/api/types/core.v1.ts';
import { ENDPOINTS, PODS, SERVICES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf } from '#lib/machinery/meta.ts';
import { decideEndpoints } from './decide.ts';
import { repack } from './subsets.ts';

const TIME = '2026-01-01T00:00:00Z';
const aService = (spec: JsonObject = {}, labels: JsonObject = { a: 'b' }): Service =>
  decodedAs(SERVICES, {
    metadata: { name: 'db', namespace: 'here', labels },
    spec: {
      clusterIP: '10.0.0.1',
      ipFamilies: ['IPv4'],
      ports: [
        { name: 'sql', targetPort: 'sql', protocol: 'TCP' },
        { name: 'web', targetPort: 80, protocol: 'TCP' },
      ],
      ...spec,
    },
  });
const aPod = (name: string, ip: string, given: { ready?: boolean; metadata?: JsonObject; port?: string } = {}): Pod =>
  decodedAs(PODS, {
    metadata: { name, namespace: 'here', uid: name, ...given.metadata },
    spec: {
      nodeName: 'node',
      containers: [{ ports: [{ name: given.port ?? 'sql', containerPort: 5432, protocol: 'TCP' }] }],
    },
    status: {
      podIP: ip,
      podIPs: [{ ip }],
      conditions: [{ type: 'Ready', status: given.ready === false ? 'False' : 'True' }],
    },
  });
const address = (name: string, ip: string): JsonObject => ({
  ip,
  nodeName: 'node',
  targetRef: { kind: 'Pod', namespace: 'here', name, uid: name },
});
const SQL = { name: 'sql', port: 5432, protocol: 'TCP' };
const WEB = { name: 'web', port: 80, protocol: 'TCP' };
const subsetsOf = (service: Service, pods: readonly Pod[]): EndpointSubset[] =>
  decideEndpoints(service, pods, undefined, TIME)?.subsets ?? [];

describe('the subsets of Endpoints', () => {
  const [a, b] = [aPod('a', '10.1.0.1'), aPod('b', '10.1.0.2', { ready: false })];

  test('join the ports of the same pods and keep ready pods apart', () => {
    expect(subsetsOf(aService(), [b, a])).toEqual([
      {
        addresses: [address('a', '10.1.0.1')],
        notReadyAddresses: [address('b', '10.1.0.2')],
        ports: [SQL, WEB],
      },
    ]);
  });

  test('show a pod without the named port at its other ports', () => {
    expect(subsetsOf(aService(), [a, aPod('c', '10.1.0.3', { port: 'other' })])).toEqual([
      { addresses: [address('a', '10.1.0.1'), address('c', '10.1.0.3')], ports: [WEB] },
      { addresses: [address('a', '10.1.0.1')], ports: [SQL] },
    ]);
  });

  test.each([
    [
      'show unready pods as ready if the service publishes them',
      { publishNotReadyAddresses: true },
      b,
      ['addresses', 'ports'],
    ],
    ['have no ports for a headless service without any', { clusterIP: 'None', ports: [] }, a, ['addresses']],
  ])('the subsets %s', (_, spec, pod, expected) => {
    expect(subsetsOf(aService(spec), [pod]).map((subset) => Object.keys(subset))).toEqual([expected]);
  });

  test('omit pods that are being deleted', () => {
    expect(subsetsOf(aService(), [aPod('a', '10.1.0.1', { metadata: { deletionTimestamp: TIME } })])).toEqual([]);
  });

  test('show a host as unready at a port if one subset does', () => {
    const one = { addresses: [{ ip: '1.1.1.1' }], ports: [WEB] };
    const other = { notReadyAddresses: [{ ip: '1.1.1.1' }], ports: [WEB, SQL] };
    expect(repack([one, other])).toEqual([{ notReadyAddresses: [{ ip: '1.1.1.1' }], ports: [SQL, WEB] }]);
  });
});

describe('an Endpoints object', () => {
  const pods = [aPod('a', '10.1.0.1'), aPod('b', '10.1.0.2')];
  const first = decideEndpoints(aService(), pods, undefined, TIME) ?? decodedAs(ENDPOINTS, {});

  test('has its service’s labels and the time of the change', () => {
    expect({ ...labelsOf(first) }).toEqual({ a: 'b', 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' });
    expect({ ...annotationsOf(first) }).toEqual({ 'endpoints.kubernetes.io/last-change-trigger-time': TIME });
  });

  test.each([
    ['no change', aService(), pods, false],
    ['the same pods in another order', aService(), [...pods].reverse(), false],
    ['one pod less', aService(), pods.slice(1), true],
    ['another family of addresses', aService({ ipFamilies: ['IPv6'] }), pods, true],
    ['other labels', aService({}, {}), pods, true],
  ])('computes whether a write is needed for %s: %#', (_, service, given, expected) => {
    expect(decideEndpoints(service, given, first, undefined) !== undefined).toBe(expected);
  });

  test('holds at most 1000 addresses and is annotated as truncated', () => {
    const many = Array.from({ length: 1200 }, (_, i) =>
      aPod(`p${i}`, `10.1.${Math.floor(i / 250)}.${i % 250}`, { ready: i % 3 !== 0 }),
    );
    const full = decideEndpoints(aService(), many, undefined, TIME);
    const { addresses = [], notReadyAddresses = [] } = full?.subsets?.[0] ?? {};
    expect([addresses.length, notReadyAddresses.length]).toEqual([800, 200]);
    expect(annotationsOf(full ?? {})['endpoints.kubernetes.io/over-capacity']).toBe('truncated');
    expect(decideEndpoints(aService(), many, full, TIME)).toBeUndefined();
    const less = decideEndpoints(aService(), many.slice(0, 10), full, TIME) ?? {};
    expect(annotationsOf(less)['endpoints.kubernetes.io/over-capacity']).toBeUndefined();
  });
});
