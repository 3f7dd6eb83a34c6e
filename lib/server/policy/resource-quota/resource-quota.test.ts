import { describe, expect, test } from 'vitest';
import { findResource } from '#lib/api/kinds.ts';
import { decodedAs } from '#lib/api/testing.ts';
import type { ResourceQuota } from '#lib/api/types/core.v1.ts';
import { RESOURCE_QUOTAS } from '#lib/api/types/resources.ts';
import { asObject } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { chargesOf, checkFits, type LimitedResource } from './check.ts';
import type { Evaluator } from './evaluator.ts';
import { evaluatorOf } from './evaluators.ts';

/** Returns the evaluator of a resource. Missing fields of built-in kinds have the decoder's values. */
const of = (group: string, resource: string): Evaluator => {
  const found = evaluatorOf(group, resource);
  if (found === undefined) throw new Error(`nothing counts ${resource}`);
  const place = { group, version: 'v1', resource };
  const decoded = (object: JsonObject): JsonObject =>
    findResource(place) === undefined ? object : decodedAs(place, object);
  return {
    ...found,
    usage: (object, now) => found.usage(decoded(object), now),
    inScope: (object, requirement) => found.inScope(decoded(object), requirement),
    constraint: (object, limited) => found.constraint?.(decoded(object), limited),
  };
};
const pods = of('', 'pods');
const services = of('', 'services');
const claims = of('', 'persistentvolumeclaims');
const devices = of('resource.k8s.io', 'resourceclaims');

const container = (requests: JsonObject = {}, limits: JsonObject = {}, name = 'c'): JsonObject => ({
  name,
  resources: { requests, limits },
});
const aPod = (spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p', resourceVersion: '1' },
  spec: { containers: [container()], ...spec },
  ...more,
});
const over = { status: { phase: 'Succeeded' } };
const deleted = (deletionGracePeriodSeconds: number): JsonObject => ({
  metadata: { deletionTimestamp: '1970-01-01T00:00:10Z', deletionGracePeriodSeconds },
});

describe('usage of objects', () => {
  const none = { 'count/pods': '1', pods: '1' };
  const cpu = (value: string) => ({ cpu: value, 'requests.cpu': value });
  test.each<[string, Evaluator, JsonObject, JsonObject]>([
    ['a pod without requests', pods, aPod({}), none],
    [
      'a pod by its containers',
      pods,
      aPod({
        containers: [
          container({ cpu: '1', memory: '50M', 'ephemeral-storage': '123' }, { cpu: '2', memory: '100M' }),
          container({ cpu: '500m' }, {}, 'd'),
        ],
      }),
      {
        ...none,
        ...cpu('1500m'),
        memory: '50M',
        'requests.memory': '50M',
        'ephemeral-storage': '123',
        'requests.ephemeral-storage': '123',
        'limits.cpu': '2',
        'limits.memory': '100M',
      },
    ],
    [
      'init containers by the largest',
      pods,
      aPod({
        initContainers: [container({ cpu: '3' }), container({ cpu: '2' })],
        containers: [container({ cpu: '1' })],
      }),
      { ...none, ...cpu('3') },
    ],
    [
      'sidecars beside the others',
      pods,
      aPod({
        initContainers: [{ ...container({ cpu: '1' }), restartPolicy: 'Always' }],
        containers: [container({ cpu: '1' })],
      }),
      { ...none, ...cpu('2') },
    ],
    [
      'huge pages and devices',
      pods,
      aPod({
        containers: [container({ 'hugepages-2Mi': '100Mi', 'example.com/gpu': '3', 'kubernetes.io/x': '1' })],
      }),
      { ...none, 'hugepages-2Mi': '100Mi', 'requests.hugepages-2Mi': '100Mi', 'requests.example.com/gpu': '3' },
    ],
    [
      'overhead',
      pods,
      aPod({ overhead: { cpu: '250m' }, containers: [container({ cpu: '1' })] }),
      { ...none, ...cpu('1250m') },
    ],
    [
      'what the pod says as a whole',
      pods,
      aPod({ resources: { requests: { cpu: '4' } }, containers: [container({ cpu: '1' })] }),
      { ...none, ...cpu('4') },
    ],
    [
      'what a container was given while it is resized',
      pods,
      aPod(
        { containers: [container({ cpu: '1' })] },
        { status: { containerStatuses: [{ name: 'c', resources: { requests: { cpu: '2' } } }] } },
      ),
      { ...none, ...cpu('2') },
    ],
    ['a pod that is over', pods, aPod({}, over), { 'count/pods': '1' }],
    ['a pod within its grace', pods, aPod({}, deleted(40)), none],
    ['a pod beyond its grace', pods, aPod({}, deleted(39)), { 'count/pods': '1' }],
    [
      'a service',
      services,
      { spec: { type: 'ClusterIP', ports: [{}] } },
      { 'count/services': '1', services: '1', 'services.loadbalancers': '0', 'services.nodeports': '0' },
    ],
    [
      'node ports',
      services,
      { spec: { type: 'NodePort', ports: [{}, {}] } },
      { 'count/services': '1', services: '1', 'services.loadbalancers': '0', 'services.nodeports': '2' },
    ],
    [
      'a load balancer',
      services,
      { spec: { type: 'LoadBalancer', ports: [{}, {}] } },
      { 'count/services': '1', services: '1', 'services.loadbalancers': '1', 'services.nodeports': '2' },
    ],
    [
      'a load balancer that takes no node ports but those it names',
      services,
      { spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{}, { nodePort: 30000 }] } },
      { 'count/services': '1', services: '1', 'services.loadbalancers': '1', 'services.nodeports': '1' },
    ],
    [
      'a claim',
      claims,
      { spec: { resources: { requests: { storage: '10Gi' } } } },
      { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1', 'requests.storage': '10Gi' },
    ],
    [
      'a claim of a class, in whole bytes',
      claims,
      { spec: { storageClassName: 'gold', resources: { requests: { storage: '500m' } } } },
      {
        'count/persistentvolumeclaims': '1',
        persistentvolumeclaims: '1',
        'requests.storage': '1',
        'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
        'gold.storageclass.storage.k8s.io/requests.storage': '1',
      },
    ],
    [
      'a claim that was given more than it now asks',
      claims,
      { spec: { resources: { requests: { storage: '10G' } } }, status: { allocatedResources: { storage: '20G' } } },
      { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1', 'requests.storage': '20G' },
    ],
    [
      'devices, of alternatives the most',
      devices,
      {
        spec: {
          devices: {
            requests: [
              { exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 5 } },
              { exactly: { deviceClassName: 'nic', allocationMode: 'All' } },
              {
                firstAvailable: [
                  { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 },
                  { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
                ],
              },
            ],
          },
        },
      },
      {
        'count/resourceclaims.resource.k8s.io': '1',
        'gpu.deviceclass.resource.k8s.io/devices': '7',
        'nic.deviceclass.resource.k8s.io/devices': '32',
      },
    ],
    ['a custom object', of('example.com', 'widgets'), {}, { 'count/widgets.example.com': '1' }],
    ['an object with an old name', of('', 'secrets'), {}, { 'count/secrets': '1', secrets: '1' }],
  ])('computes the usage: %s', (_title, evaluator, object, expected) => {
    expect(asObject(evaluator.usage(object, 50_000))).toEqual(expected);
  });

  test('ignores events and resources that are not stored', () => {
    expect([evaluatorOf('', 'events'), evaluatorOf('authorization.k8s.io', 'subjectaccessreviews')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('scopes of a quota', () => {
  const affinity = (term: JsonObject): JsonObject => ({
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term }] } },
  });
  const ask = (pod: JsonObject, scope: string, operator = 'Exists', values: string[] = []): boolean =>
    pods.inScope(aPod(pod), { scope, operator, values });
  test.each<[string, JsonObject, string, string, string[], boolean]>([
    ['a deadline', { activeDeadlineSeconds: 30 }, 'Terminating', 'Exists', [], true],
    ['none', {}, 'Terminating', 'Exists', [], false],
    ['none', {}, 'NotTerminating', 'Exists', [], true],
    ['no requests', {}, 'BestEffort', 'Exists', [], true],
    ['something asked', { containers: [container({ cpu: '1' })] }, 'BestEffort', 'Exists', [], false],
    ['something asked', { containers: [container({ cpu: '1' })] }, 'NotBestEffort', 'Exists', [], true],
    ['a class', { priorityClassName: 'a' }, 'PriorityClass', 'Exists', [], true],
    ['no class', {}, 'PriorityClass', 'Exists', [], false],
    ['no class', {}, 'PriorityClass', 'DoesNotExist', [], true],
    ['a class', { priorityClassName: 'a' }, 'PriorityClass', 'In', ['a', 'b'], true],
    ['another class', { priorityClassName: 'c' }, 'PriorityClass', 'In', ['a', 'b'], false],
    ['another class', { priorityClassName: 'c' }, 'PriorityClass', 'NotIn', ['a'], true],
    ['namespaces', affinity({ namespaces: ['n'] }), 'CrossNamespacePodAffinity', 'Exists', [], true],
    ['all namespaces', affinity({ namespaceSelector: {} }), 'CrossNamespacePodAffinity', 'Exists', [], true],
    ['its own namespace', affinity({ namespaces: [] }), 'CrossNamespacePodAffinity', 'Exists', [], false],
    ['of claims', {}, 'VolumeAttributesClass', 'Exists', [], false],
  ])('matches scopes: %s: %o %s %s %o', (_title, pod, scope, operator, values, expected) => {
    expect(ask(pod, scope, operator, values)).toBe(expected);
  });

  test.each([
    [{ spec: { volumeAttributesClassName: 'fast' } }, 'In', ['fast'], true],
    [{ status: { currentVolumeAttributesClassName: 'slow' } }, 'In', ['fast'], false],
    [{ status: { modifyVolumeStatus: { targetVolumeAttributesClassName: 'fast' } } }, 'Exists', [], true],
    [{}, 'NotIn', ['fast'], true],
  ])('matches scopes of a claim: %o %s %o', (claim, operator, values, expected) => {
    expect(claims.inScope(claim, { scope: 'VolumeAttributesClass', operator, values })).toBe(expected);
  });
});

describe('charges of a write', () => {
  const quota = (hard: JsonObject, spec: JsonObject = {}, name = 'q'): ResourceQuota =>
    decodedAs(RESOURCE_QUOTAS, { metadata: { name }, spec: { hard, ...spec }, status: { hard } });
  const outcome = (
    object: JsonObject,
    quotas: ResourceQuota[],
    {
      used,
      limited = [],
      oldObject,
      evaluator = pods,
    }: {
      used?: Record<string, string>;
      limited?: LimitedResource[];
      oldObject?: JsonObject;
      evaluator?: Evaluator;
    } = {},
  ): unknown => {
    const operation = oldObject === undefined ? 'CREATE' : 'UPDATE';
    const write = { operation, subresource: '', object, ...defined({ oldObject }) };
    try {
      const charges = chargesOf({ evaluator, write, quotas, limited, now: 0 });
      for (const charge of charges) checkFits(charge, used === undefined ? undefined : new Map(Object.entries(used)));
      return Object.fromEntries(charges.map(({ name, more }) => [name, asObject(more)]));
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };
  const two = aPod({ containers: [container({ cpu: '2', memory: '2Gi' })] });

  test('include everything that the quota limits', () => {
    expect(
      outcome(two, [quota({ pods: '3', 'requests.cpu': '4' })], { used: { pods: '2', 'requests.cpu': '0' } }),
    ).toEqual({
      q: { pods: '1', 'requests.cpu': '2' },
    });
  });
  test('are rejected with the exceeded resources if they do not fit', () => {
    const hard = { pods: '3', cpu: '3', memory: '3Gi' };
    expect(outcome(two, [quota(hard)], { used: { pods: '1', cpu: '1500m', memory: '2Gi' } })).toBe(
      'exceeded quota: q, requested: cpu=2,memory=2Gi, used: cpu=1500m,memory=2Gi, limited: cpu=3,memory=3Gi',
    );
  });
  test('must wait for the first count', () => {
    expect(outcome(two, [quota({ pods: '3', cpu: '3' })], { used: { pods: '0' } })).toBe(
      'status unknown for quota: q, resources: cpu,pods',
    );
  });
  test('require requests and limits of every container', () => {
    const pod = aPod({
      containers: [container({ cpu: '1' }, {}, 'a'), container({}, {}, 'b')],
      initContainers: [container({}, {}, 'i')],
    });
    expect(outcome(pod, [quota({ cpu: '3', 'limits.memory': '1' })], { used: {} })).toBe(
      'failed quota: q: must specify cpu for: b,i; limits.memory for: a,b,i',
    );
  });
  test('are empty outside the scope', () => {
    expect(outcome(two, [quota({ pods: '0' }, { scopes: ['BestEffort'] })], { used: { pods: '0' } })).toEqual({});
  });
  test('apply to every quota that counts the object', () => {
    const both = [quota({ pods: '9' }), quota({ cpu: '9' }, { scopes: ['NotBestEffort'] }, 'r')];
    expect(outcome(two, both, { used: { pods: '0', cpu: '0' } })).toEqual({ q: { pods: '1' }, r: { cpu: '2' } });
  });
  test('contain the growth of an object', () => {
    const old = aPod({ containers: [container({ cpu: '1500m', memory: '4Gi' })] });
    const hard = quota({ cpu: '2', memory: '9Gi', pods: '1' });
    expect(outcome(two, [hard], { used: { cpu: '1500m', memory: '4Gi', pods: '1' }, oldObject: old })).toEqual({
      q: { cpu: '500m' },
    });
    expect(outcome(old, [hard], { used: { cpu: '1', memory: '4Gi', pods: '1' }, oldObject: old })).toEqual({});
  });
  test('contain a whole object that enters a scope', () => {
    const old = aPod({});
    const ending = aPod({ activeDeadlineSeconds: 1 });
    const hard = quota({ pods: '1' }, { scopes: ['Terminating'] });
    expect(outcome(ending, [hard], { used: { pods: '0' }, oldObject: old })).toEqual({ q: { pods: '1' } });
  });
  test('require a covering quota for resources limited by configuration', () => {
    const limited = [{ apiGroup: '', resource: 'pods', matchContains: ['cpu'], matchScopes: [] }];
    expect(outcome(two, [], { limited })).toBe('insufficient quota to consume: cpu,requests.cpu');
    expect(
      outcome(two, [quota({ cpu: '9', 'requests.cpu': '9' })], { limited, used: { cpu: '0', 'requests.cpu': '0' } }),
    ).toEqual({
      q: { cpu: '2', 'requests.cpu': '2' },
    });
  });
  test('require a quota of the scope that configuration limits', () => {
    const scope = { scope: 'PriorityClass', operator: 'In', values: ['high'] };
    const limited = [{ apiGroup: '', resource: 'pods', matchContains: [], matchScopes: [scope] }];
    const high = aPod({ priorityClassName: 'high' });
    expect(outcome(high, [], { limited })).toBe(
      'insufficient quota to match these scopes: [{PriorityClass In [high]}]',
    );
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
    const covering = quota({ pods: '1' }, { scopeSelector: { matchExpressions } });
    expect(outcome(high, [covering], { limited, used: { pods: '0' } })).toEqual({ q: { pods: '1' } });
    expect(outcome(aPod({}), [], { limited })).toEqual({});
  });
});
