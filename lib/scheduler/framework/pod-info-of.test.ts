import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { aPod, aPodInfo } from '../testing/wrappers.ts';
import { podInfoOf } from './pod-info-of.ts';

const container = (requests: Record<string, string>, more = {}) => ({ name: 'c', resources: { requests }, ...more });
const MI = 2 ** 20;

describe('podInfoOf: the requests of a pod', () => {
  test.each([
    ['zero without requests', {}, { milliCpu: 0, memory: 0 }, { milliCpu: 100, memory: 200 * MI }],
    [
      'the sum of its containers, with defaults for missing requests',
      { containers: [container({ cpu: '1' }), container({ memory: '1Mi' })] },
      { milliCpu: 1000, memory: MI },
      { milliCpu: 1100, memory: 201 * MI },
    ],
    [
      'zero if it requests zero',
      { containers: [container({ cpu: '0', memory: '0' })] },
      { milliCpu: 0, memory: 0 },
      { milliCpu: 0, memory: 0 },
    ],
    [
      'the peak of init containers with sidecars',
      {
        initContainers: [container({ cpu: '1' }, { restartPolicy: 'Always' }), container({ cpu: '3' })],
        containers: [container({ cpu: '2', memory: '1Mi' })],
      },
      { milliCpu: 4000, memory: MI },
      { milliCpu: 4000, memory: 400 * MI },
    ],
    [
      'containers plus overhead',
      { containers: [container({ cpu: '1', memory: '1Mi' })], overhead: { cpu: '250m' } },
      { milliCpu: 1250, memory: MI },
      { milliCpu: 1250, memory: MI },
    ],
    [
      'its pod-level requests',
      { containers: [container({ cpu: '1' })], resources: { requests: { cpu: '2' } } },
      { milliCpu: 2000, memory: 0 },
      { milliCpu: 2000, memory: 200 * MI },
    ],
  ])('are computed as %s', (_, spec, requests, nonZero) => {
    const info = aPodInfo({ spec });
    expect(info.requests).toMatchObject(requests);
    expect(info.nonZero).toEqual(nonZero);
  });

  test('are the allocated amount while a smaller one is requested', () => {
    const given = { requests: { cpu: '2' } };
    const status = { containerStatuses: [{ name: 'c', resources: given, allocatedResources: { cpu: '2' } }] };
    const spec = { containers: [container({ cpu: '1' })] };
    expect(podInfoOf(aPod({ spec, status })).requests.milliCpu).toBe(2000);
  });

  test('include extended resources and huge pages by name', () => {
    const { requests } = aPodInfo({ requests: { 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi', odd: '1' } });
    expect([...requests.scalar]).toEqual([
      ['example.com/gpu', 2],
      ['hugepages-2Mi', 4 * MI],
    ]);
  });
});

test('collects the host ports of containers that run as long as the pod', () => {
  const ports = [{ containerPort: 80, hostPort: 80, hostIP: '127.0.0.1', protocol: 'UDP' }, { containerPort: 81 }];
  const early = { name: 'i', ports: [{ containerPort: 1, hostPort: 1 }] };
  const info = aPodInfo({
    spec: {
      initContainers: [early, { ...early, restartPolicy: 'Always' }],
      containers: [{ name: 'c', ports }],
    },
  });
  expect(info.hostPorts).toEqual([
    { ip: '0.0.0.0', protocol: 'TCP', port: 1 },
    { ip: '127.0.0.1', protocol: 'UDP', port: 80 },
  ]);
});

test('collects the claims that the pod names and its ephemeral claims', () => {
  const volumes = [
    { name: 'a', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'b', ephemeral: {} },
    { name: 'c', emptyDir: {} },
  ];
  expect(aPodInfo({ name: 'web', spec: { volumes } }).claims).toEqual(['data', 'web-b']);
});

describe('podInfoOf: affinity terms', () => {
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const of = (term: JsonObject) =>
    aPodInfo({ namespace: 'own', spec: { affinity: { podAffinity: { [REQUIRED]: [term] } } } }).requiredAffinityTerms;

  test('apply to the pod’s own namespace if they name none', () => {
    const [term] = of({ labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'zone' });
    expect([...(term?.namespaces ?? [])]).toEqual(['own']);
    expect(term !== undefined && matches(term.selector, { a: 'b' })).toBe(true);
    expect(term !== undefined && matches(term.namespaceSelector, {})).toBe(false);
  });

  test('apply to all namespaces if their selector is empty', () => {
    const [term] = of({ labelSelector: {}, namespaceSelector: {}, topologyKey: 'zone' });
    expect(term?.namespaces.size).toBe(0);
    expect(term !== undefined && matches(term.namespaceSelector, {})).toBe(true);
  });

  test('are left out if they are invalid', () => {
    const bad = { matchExpressions: [{ key: 'a', operator: 'Odd' }] };
    expect(of({ labelSelector: bad, topologyKey: 'zone' })).toEqual([]);
  });
});

test('computes the info of an object only once', () => {
  const pod = aPod({ spec: { containers: [container({ cpu: '1' })] } });
  expect(podInfoOf(pod)).toBe(podInfoOf(pod));
  expect(podInfoOf({ ...pod })).not.toBe(podInfoOf(pod));
});
