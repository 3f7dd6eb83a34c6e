import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type AdmissionPlugin, Rounds } from '../admission.ts';
import { anAttributes, lookupOf } from '../testing.ts';
import { alwaysDeny } from './always-deny.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import { denyServiceExternalIPs } from './deny-service-external-ips.ts';
import { eventRateLimit } from './event-rate-limit.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { namespaceAutoProvision } from './namespace-auto-provision.ts';
import { namespaceExists } from './namespace-exists.ts';
import { nodeDeclaredFeatureValidator } from './node-declared-feature-validator.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { podResizeValidator } from './pod-resize-validator.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';

type AttributesInput = Parameters<typeof anAttributes>[0];

/** Returns the object after the plugin, or the rejection. */
async function through(plugin: AdmissionPlugin, asked: AttributesInput): Promise<JsonObject | string> {
  const attributes = anAttributes(asked);
  try {
    await plugin.admit?.(attributes, new Rounds());
    await plugin.validate?.(attributes);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return attributes.object ?? {};
}

const aPod = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const asPod = (spec: JsonObject = {}, more: Partial<AttributesInput> = {}): AttributesInput => ({
  resource: 'pods',
  kind: 'Pod',
  namespace: 'here',
  name: 'p',
  object: aPod(spec),
  ...more,
});
const namespaced = (annotations: JsonObject = {}) =>
  lookupOf({ '/namespaces': [{ metadata: { name: 'here', annotations } }] });
const specOf = (outcome: JsonObject | string): unknown => (typeof outcome === 'string' ? outcome : outcome['spec']);

test('denies every write with AlwaysDeny', async () => {
  expect(await through(alwaysDeny, asPod())).toBe(
    'pods "p" is forbidden: admission control is denying all modifications',
  );
});

describe('the plugin AlwaysPullImages', () => {
  test('pulls every image, including those of volumes', async () => {
    const spec = {
      initContainers: [{ name: 'i', image: 'i', imagePullPolicy: 'Never' }],
      volumes: [{ name: 'v', image: { reference: 'r' } }],
    };
    expect(specOf(await through(alwaysPullImages, asPod(spec)))).toMatchObject({
      containers: [{ imagePullPolicy: 'Always' }],
      initContainers: [{ imagePullPolicy: 'Always' }],
      volumes: [{ image: { pullPolicy: 'Always' } }],
    });
  });
  test('leaves an update without a new image unchanged', async () => {
    const asked = asPod({}, { operation: 'UPDATE', oldObject: aPod() });
    expect(await through(alwaysPullImages, asked)).toEqual(aPod());
  });
  test('rejects a policy that a later plugin changed', async () => {
    const { admit: _admit, ...judging } = alwaysPullImages;
    expect(await through(judging, asPod())).toBe(
      'pods "p" is forbidden: spec.containers[0].imagePullPolicy: Unsupported value: "": supported values: "Always"',
    );
  });
});

test.each([
  [
    { externalIPs: ['1.1.1.1'] },
    undefined,
    'services "s" is forbidden: Use of external IPs is denied by admission control',
  ],
  [{ externalIPs: ['1.1.1.1'] }, { externalIPs: ['1.1.1.1', '2.2.2.2'] }, {}],
  [{}, undefined, {}],
])('checks with DenyServiceExternalIPs %o after %o', async (spec, before, expected) => {
  const old = before === undefined ? {} : { oldObject: { spec: before }, operation: 'UPDATE' as const };
  const outcome = await through(denyServiceExternalIPs, { resource: 'services', name: 's', object: { spec }, ...old });
  expect(typeof outcome === 'string' ? outcome : {}).toEqual(expected);
});

test('limits events with EventRateLimit to a burst and then a rate, separately for each key', async () => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now, sleep: async () => {} };
  const plugin = eventRateLimit(clock, [{ type: 'Namespace', qps: 1, burst: 2, cacheSize: 2 }]);
  const ask = (namespace: string) => through(plugin, { resource: 'events', kind: 'Event', namespace, object: {} });
  const refused = 'limit reached on type Namespace for key a';
  expect([await ask('a'), await ask('a'), await ask('a'), await ask('b')]).toEqual([{}, {}, refused, {}]);
  now = 1000;
  expect([await ask('a'), await ask('a')]).toEqual([{}, refused]);
});

test('tolerates the taints of requested resources with ExtendedResourceToleration', async () => {
  const spec = { containers: [{ name: 'c', resources: { requests: { cpu: '1', 'example.com/gpu': '1' } } }] };
  expect(specOf(await through(extendedResourceToleration, asPod(spec)))).toMatchObject({
    tolerations: [{ key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
  });
});

test('rejects anti-affinity by zone with LimitPodHardAntiAffinityTopology', async () => {
  const term = (topologyKey: string): JsonObject => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  });
  expect(await through(limitPodHardAntiAffinityTopology, asPod(term('kubernetes.io/hostname')))).toBeTypeOf('object');
  expect(await through(limitPodHardAntiAffinityTopology, asPod(term('zone')))).toBe(
    'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  );
});

test('creates a missing namespace with NamespaceAutoProvision, and rejects it with NamespaceExists', async () => {
  const made: string[] = [];
  const provision = namespaceAutoProvision(namespaced(), async (name) => void made.push(name));
  await through(provision, asPod());
  await through(provision, asPod({}, { namespace: 'new' }));
  expect(made).toEqual(['new']);
  expect(await through(namespaceExists(namespaced()), asPod({}, { namespace: 'new' }))).toBe(
    'namespaces "new" not found',
  );
  expect(await through(namespaceExists(namespaced()), asPod())).toEqual(aPod());
});

describe('the plugin PodNodeSelector', () => {
  const KEY = 'scheduler.alpha.kubernetes.io/node-selector';
  test.each<[string, JsonObject, [string, string][], JsonObject, unknown]>([
    ['adds the namespace’s', { [KEY]: 'a=b, c=d' }, [], { e: 'f' }, { a: 'b', c: 'd', e: 'f' }],
    ['adds the default', {}, [['clusterDefaultNodeSelector', 'a=b']], {}, { a: 'b' }],
    [
      'refuses another value',
      { [KEY]: 'a=b' },
      [],
      { a: 'x' },
      'pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
    ],
    [
      'refuses what is not allowed there',
      { [KEY]: '' },
      [['here', 'a=b']],
      { c: 'd' },
      'pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist',
    ],
    ['refuses nonsense', { [KEY]: 'a' }, [], {}, 'invalid selector: [a]'],
  ])('merges the node selector: %s', async (_title, annotations, selectors, nodeSelector, expected) => {
    const plugin = podNodeSelector(namespaced(annotations), new Map(selectors));
    const outcome = await through(plugin, asPod({ nodeSelector }));
    expect(typeof outcome === 'string' ? outcome : (outcome['spec'] as JsonObject)['nodeSelector']).toEqual(expected);
  });
});

describe('the plugin PodTolerationRestriction', () => {
  const DEFAULTS = 'scheduler.alpha.kubernetes.io/defaultTolerations';
  const ALLOWED = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
  const a = { key: 'a', operator: 'Exists' };
  const rules = { defaults: [a], allowed: [] };
  const outcome = async (annotations: JsonObject, tolerations: JsonObject[] = []) =>
    through(podTolerationRestriction(namespaced(annotations), rules), asPod({ tolerations }));
  test("adds the namespace's default tolerations, or else the cluster's", async () => {
    expect(specOf(await outcome({}))).toMatchObject({ tolerations: [a] });
    const own = [{ key: 'b', operator: 'Exists' }];
    expect(specOf(await outcome({ [DEFAULTS]: JSON.stringify(own) }))).toMatchObject({ tolerations: own });
  });
  test('rejects tolerations that the namespace does not allow', async () => {
    expect(await outcome({ [DEFAULTS]: '', [ALLOWED]: '[{"key":"b","operator":"Exists"}]' }, [a])).toBe(
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    );
  });
  test('rejects malformed annotations', async () => {
    expect(await outcome({ [DEFAULTS]: 'x' })).toContain('holds no list of tolerations');
  });
});

describe('the plugin OwnerReferencesPermissionEnforcement', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'o', uid: 'u' };
  const owned = (more: JsonObject = {}): JsonObject => ({
    metadata: { name: 'p', ownerReferences: [{ ...owner, ...more }] },
  });
  const plugin = (...allowed: string[]) =>
    ownerReferencesPermissionEnforcement({
      authorizer: async (_user, { verb, resource, subresource }) => ({
        decision: allowed.includes(`${verb} ${resource}/${subresource}`) ? 'allow' : 'noOpinion',
        reason: 'no',
      }),
      resourceOfKind: async ({ kind }) =>
        kind === 'ReplicaSet'
          ? { resource: { group: 'apps', version: 'v1', resource: 'replicasets' }, namespaced: true }
          : undefined,
    });
  const update = { operation: 'UPDATE' as const, oldObject: { metadata: { name: 'p' } } };
  test.each<[string, AdmissionPlugin, Partial<AttributesInput>, string | undefined]>([
    ['a new object may have an owner', plugin(), { object: owned() }, undefined],
    [
      'an old one by who may delete it',
      plugin(),
      { ...update, object: owned() },
      "cannot set an ownerRef on a resource you can't delete: no, <nil>",
    ],
    ['who may', plugin('delete pods/'), { ...update, object: owned() }, undefined],
    [
      'who holds the owner has to be able to finalize it',
      plugin(),
      { object: owned({ blockOwnerDeletion: true }) },
      "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: no, <nil>",
    ],
    ['who can', plugin('update replicasets/finalizers'), { object: owned({ blockOwnerDeletion: true }) }, undefined],
    [
      'who can finalize anything',
      plugin('update */finalizers'),
      { object: owned({ blockOwnerDeletion: true }) },
      undefined,
    ],
    [
      'an owner of an unknown kind',
      plugin(),
      { object: owned({ blockOwnerDeletion: true, kind: 'X' }) },
      'cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps/v1 Kind X: no matches for kind "X" in version "apps/v1"',
    ],
  ])('checks the owner references: %s', async (_title, judge, more, expected) => {
    const outcome = await through(judge, asPod({}, more));
    expect(typeof outcome === 'string' ? outcome : undefined).toBe(
      expected === undefined ? undefined : `pods "p" is forbidden: ${expected}`,
    );
  });
});

describe('the plugin NodeDeclaredFeatureValidator', () => {
  const POD = 'InPlacePodLevelResourcesVerticalScaling';
  const INIT = 'InPlacePodVerticalScalingInitContainers';
  const limits = (cpu: string): JsonObject => ({ resources: { limits: { cpu } } });
  const init = (cpu: string, more: JsonObject = {}): JsonObject => ({
    initContainers: [{ name: 'i', ...limits(cpu), ...more }],
  });
  const pod = (spec: JsonObject, generation: number): JsonObject => ({
    metadata: { name: 'p', generation },
    spec: { nodeName: 'n', ...spec },
  });
  const lacking = (...features: string[]): string =>
    `pods "p" is forbidden: pod update requires features ${features.join(', ')} which are not available on node "n"`;

  test.each<[string, JsonObject, JsonObject, string[], string | undefined]>([
    ['the pod grows', limits('1'), limits('2'), [], lacking(POD)],
    ['the pod grows where that is declared', limits('1'), limits('2'), [POD], undefined],
    ['an init container grows', init('1'), init('2'), [POD], lacking(INIT)],
    ['both', { ...limits('1'), ...init('1') }, { ...limits('2'), ...init('2') }, ['Other'], lacking(POD, INIT)],
    ['a sidecar grows', init('1', { restartPolicy: 'Always' }), init('2', { restartPolicy: 'Always' }), [], undefined],
    ['a pod without a node', { ...limits('1'), nodeName: '' }, { ...limits('2'), nodeName: '' }, [], undefined],
    [
      'a node that is not there',
      { ...limits('1'), nodeName: 'gone' },
      { ...limits('2'), nodeName: 'gone' },
      [],
      'pods "p" is forbidden: node "gone" not found',
    ],
  ])('checks the declared features: %s', async (_, before, after, declaredFeatures, expected) => {
    const lookup = lookupOf({ '/nodes': [{ metadata: { name: 'n' }, status: { declaredFeatures } }] });
    const request: AttributesInput = {
      ...asPod(),
      operation: 'UPDATE',
      oldObject: pod(before, 1),
      object: pod(after, 2),
    };
    for (const subresource of ['', 'resize']) {
      const outcome = await through(nodeDeclaredFeatureValidator(lookup), { ...request, subresource });
      expect(typeof outcome === 'string' ? outcome : undefined).toBe(expected);
    }
    const status = await through(nodeDeclaredFeatureValidator(lookup), { ...request, subresource: 'status' });
    expect(status).toEqual(pod(after, 2));
  });
});

describe('the plugin PodResizeValidator', () => {
  const node = (labels: JsonObject = {}): JsonObject => ({
    metadata: { name: 'n', labels },
    status: { allocatable: { cpu: '2', memory: '1Gi' } },
  });
  const resized = (cpu: string): AttributesInput => ({
    ...asPod(),
    operation: 'UPDATE',
    subresource: 'resize',
    object: {
      metadata: { name: 'p', generation: 2 },
      spec: { nodeName: 'n', containers: [{ name: 'c', resources: { requests: { cpu } } }] },
    },
    oldObject: { metadata: { name: 'p', generation: 1 }, spec: { nodeName: 'n' } },
  });
  test.each([
    ['2', node(), undefined],
    ['2500m', node(), "node didn't have enough allocatable resources: cpu, requested: 2500, allocatable: 2000"],
    [
      '1',
      node({ 'kubernetes.io/os': 'windows' }),
      'pod resize is only supported on linux nodes, node "n" is "windows"',
    ],
  ])('%s on %o', async (cpu, found, expected) => {
    const outcome = await through(podResizeValidator(lookupOf({ '/nodes': [found] })), resized(cpu));
    expect(typeof outcome === 'string' ? outcome : undefined).toBe(
      expected === undefined ? undefined : `pods "p" is forbidden: ${expected}`,
    );
  });
});
