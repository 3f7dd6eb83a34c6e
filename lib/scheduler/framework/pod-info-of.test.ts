import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { aPod, aPodInfo } from '../testing/wrappers.ts';
import { podInfoOf } from './pod-info-of.ts';

const container = (requests: Record<string, string>, more = {}) => ({ name: 'c', resources: { requests }, ...more });
const MI = 2 ** 20;

describe('the requests of a pod', () => {
  test.each([
    ['nothing', {}, { milliCpu: 0, memory: 0 }, { milliCpu: 100, memory: 200 * MI }],
    [
      'the sum of its containers, each counted for what it does not say',
      { containers: [container({ cpu: '1' }), container({ memory: '1Mi' })] },
      { milliCpu: 1000, memory: MI },
      { milliCpu: 1100, memory: 201 * MI },
    ],
    [
      'zero where it says zero',
      { containers: [container({ cpu: '0', memory: '0' })] },
      { milliCpu: 0, memory: 0 },
      { milliCpu: 0, memory: 0 },
    ],
    [
      'the peak of what runs first, beside sidecars',
      {
        initContainers: [container({ cpu: '1' }, { restartPolicy: 'Always' }), container({ cpu: '3' })],
        containers: [container({ cpu: '2', memory: '1Mi' })],
      },
      { milliCpu: 4000, memory: MI },
      { milliCpu: 4000, memory: 400 * MI },
    ],
    [
      'overhead too',
      { containers: [container({ cpu: '1', memory: '1Mi' })], overhead: { cpu: '250m' } },
      { milliCpu: 1250, memory: MI },
      { milliCpu: 1250, memory: MI },
    ],
    [
      'what it says as a whole',
      { containers: [container({ cpu: '1' })], resources: { requests: { cpu: '2' } } },
      { milliCpu: 2000, memory: 0 },
      { milliCpu: 2000, memory: 200 * MI },
    ],
  ])('is %s', (_, spec, requests, nonZero) => {
    const info = aPodInfo({ spec });
    expect(info.requests).toMatchObject(requests);
    expect(info.nonZero).toEqual(nonZero);
  });

  test('is the allocated amount while a smaller one is requested', () => {
    const given = { requests: { cpu: '2' } };
    const status = { containerStatuses: [{ name: 'c', resources: given, allocatedResources: { cpu: '2' } }] };
    const spec = { containers: [container({ cpu: '1' })] };
    expect(podInfoOf(aPod({ spec, status })).requests.milliCpu).toBe(2000);
  });

  test('counts extended resources and huge pages by name', () => {
    const { requests } = aPodInfo({ requests: { 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi', odd: '1' } });
    expect([...requests.scalar]).toEqual([
      ['example.com/gpu', 2],
      ['hugepages-2Mi', 4 * MI],
    ]);
  });
});

test('ports of the host are of what runs as long as the pod', () => {
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

test('claims are those that it names and those made for it', () => {
  const volumes = [
    { name: 'a', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'b', ephemeral: {} },
    { name: 'c', emptyDir: {} },
  ];
  expect(aPodInfo({ name: 'web', spec: { volumes } }).claims).toEqual(['data', 'web-b']);
});

describe('terms of affinity', () => {
  const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
  const of = (term: JsonObject) =>
    aPodInfo({ namespace: 'own', spec: { affinity: { podAffinity: { [REQUIRED]: [term] } } } }).requiredAffinityTerms;

  test('mean the own namespace where they name none', () => {
    const [term] = of({ labelSelector: { matchLabels: { a: 'b' } }, topologyKey: 'zone' });
    expect([...(term?.namespaces ?? [])]).toEqual(['own']);
    expect(term !== undefined && matches(term.selector, { a: 'b' })).toBe(true);
    expect(term !== undefined && matches(term.namespaceSelector, {})).toBe(false);
  });

  test('mean all namespaces where their selector is empty', () => {
    const [term] = of({ labelSelector: {}, namespaceSelector: {}, topologyKey: 'zone' });
    expect(term?.namespaces.size).toBe(0);
    expect(term !== undefined && matches(term.namespaceSelector, {})).toBe(true);
  });

  test('with errors are left out', () => {
    const bad = { matchExpressions: [{ key: 'a', operator: 'Odd' }] };
    expect(of({ labelSelector: bad, topologyKey: 'zone' })).toEqual([]);
  });
});

test('the same object is looked at once', () => {
  const pod = aPod({ spec: { containers: [container({ cpu: '1' })] } });
  expect(podInfoOf(pod)).toBe(podInfoOf(pod));
  expect(podInfoOf({ ...pod })).not.toBe(podInfoOf(pod));
});
