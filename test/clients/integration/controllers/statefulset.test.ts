import { describe, expect, test } from 'vitest';
import { statefulSetController } from '#lib/controllers/statefulset/reconcile.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { controllerOf, labelsOf, nameOf, ownerReferencesOf, uidOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace, podsHere, REVISIONS, revisionsHere } from '#test/support/controllers/here.ts';
import { allReady, podSimulator, type Rule } from '#test/support/controllers/pod-simulator.ts';
import { imageOf } from '#test/support/controllers/pods.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const SETS = { group: 'apps', version: 'v1', resource: 'statefulsets' };
const [PODS, CLAIMS, EVENTS] = [core('pods'), core('persistentvolumeclaims'), core('events')];
const SET = refOf(SETS, 'here', 'web');

const withPods =
  (rule: Rule = allReady): Reconcilers =>
  (client, clock, world) => [
    statefulSetController(client, clock),
    podSimulator(world.newClient('kubelet'), clock, rule),
  ];

const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'web' } },
  spec: { nodeName: 'node', containers: [{ name: 'c', image }] },
});

const claimTemplate: JsonObject = {
  metadata: { name: 'data', labels: { tier: 'db' } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

const theSet = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web', namespace: 'here' },
  spec: {
    replicas: 2,
    serviceName: 'web',
    selector: { matchLabels: { app: 'web' } },
    template: template('one'),
    ...spec,
  },
});

async function aSet(world: World, spec: JsonObject = {}): Promise<void> {
  await aNamespace(world);
  await world.user.create(SETS, theSet(spec));
}

const change = (world: World, spec: JsonObject) => world.user.patch(SET, { spec });
const setOf = async (world: World): Promise<JsonObject> => (await world.user.get(SET)) ?? {};
const statusOf = async (world: World) => objectAt(await setOf(world), 'status');
const claims = (world: World) => world.user.list(CLAIMS, { namespace: 'here' });

const images = async (world: World): Promise<string[]> =>
  (await podsHere(world)).map((pod) => `${nameOf(pod)} ${imageOf(pod)}`);

const told = async (world: World): Promise<string[]> =>
  (await world.user.list(EVENTS, { namespace: 'here' })).map(
    (one) => `${one['type']} ${one['reason']} ${one['message']}`,
  );

/** Names of pods in the order of their creation (`+`) and deletion (`-`). */
function watching(rule: Rule): { readonly rule: Rule; readonly order: string[] } {
  const order: string[] = [];
  return {
    order,
    rule(pod) {
      if (!order.includes(nameOf(pod))) order.push(nameOf(pod));
      return rule(pod);
    },
  };
}

describe('no matter when the controller is killed', () => {
  test('creates pods one after the other, each with its claim', async () => {
    const prepare = (world: World) =>
      aSet(world, {
        volumeClaimTemplates: [claimTemplate],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      });
    const check = async (world: World): Promise<void> => {
      expect((await podsHere(world)).map(nameOf)).toEqual(['web-0', 'web-1']);
      expect((await claims(world)).map(nameOf)).toEqual(['data-web-0', 'data-web-1']);
      expect((await claims(world)).map((one) => ownerReferencesOf(one).map(({ name }) => name))).toEqual([
        ['web'],
        ['web'],
      ]);
      expect(await statusOf(world)).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2 });
      expect(await revisionsHere(world)).toEqual([1]);
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(10);
  });

  test.each([['OrderedReady'], ['Parallel']])(
    '%s: an update ends with all pods of the new template',
    async (policy) => {
      const prepare = async (world: World): Promise<void> => {
        await aSet(world, { podManagementPolicy: policy });
        await world.run(withPods());
        await change(world, { template: template('two') });
      };
      const check = async (world: World): Promise<void> => {
        expect(await images(world)).toEqual(['web-0 two', 'web-1 two']);
        const status = await statusOf(world);
        expect(status).toMatchObject({ replicas: 2, currentReplicas: 2, updatedReplicas: 2, collisionCount: 0 });
        expect(status?.['currentRevision']).toBe(status?.['updateRevision']);
        expect(await revisionsHere(world)).toEqual([1, 2]);
      };
      expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(10);
    },
  );

  test('deletes the surplus pods with the highest ordinals, and their claims', async () => {
    const prepare = async (world: World): Promise<void> => {
      await aSet(world, {
        replicas: 3,
        volumeClaimTemplates: [claimTemplate],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      });
      await world.run(withPods());
      await change(world, { replicas: 1 });
    };
    const check = async (world: World): Promise<void> => {
      expect((await podsHere(world)).map(nameOf)).toEqual(['web-0']);
      const owners = (await claims(world)).map((one) => ownerReferencesOf(one).map(({ name }) => name));
      expect(owners).toEqual([[], ['web-1'], ['web-2']]);
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(6);
  });
});

test('a pod has the name, the labels, the host and the claims of its ordinal', async () => {
  const world = new World();
  await aSet(world, { replicas: 1, ordinals: { start: 5 }, volumeClaimTemplates: [claimTemplate] });
  await world.run(withPods());
  const [pod = {}] = await podsHere(world);
  const revision = (await statusOf(world))?.['updateRevision'];
  expect(pod).toMatchObject({
    metadata: {
      name: 'web-5',
      labels: {
        app: 'web',
        'apps.kubernetes.io/pod-index': '5',
        'statefulset.kubernetes.io/pod-name': 'web-5',
        'controller-revision-hash': revision,
      },
    },
    spec: {
      hostname: 'web-5',
      subdomain: 'web',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-5' } }, {}],
    },
  });
  const [claim = {}] = await claims(world);
  expect(labelsOf(claim)).toEqual({ tier: 'db', app: 'web' });
  await expectSettled(world, withPods());
  expect(world.faults).toEqual([]);
});

test.each<[string, JsonObject, Rule, string[]]>([
  ['nothing comes before the one before it is ready', {}, () => 'running', ['web-0']],
  ['in parallel all come', { podManagementPolicy: 'Parallel' }, () => 'running', ['web-0', 'web-1', 'web-2']],
  ['what takes its time is waited for', {}, () => ({ readyAfter: 30_000 }), ['web-0', 'web-1', 'web-2']],
  ['being ready has to last', { minReadySeconds: 30 }, allReady, ['web-0', 'web-1', 'web-2']],
])('starts pods as required: %s', async (_, spec, rule, names) => {
  const world = new World();
  await aSet(world, { replicas: 3, ...spec });
  const { rule: watched, order } = watching(rule);
  await world.run(withPods(watched));
  expect(order).toEqual(names);
  await expectSettled(world, withPods(rule));
});

test.each<[string, JsonObject, string[]]>([
  ['down to the partition', { rollingUpdate: { partition: 2 } }, ['web-0 one', 'web-1 one', 'web-2 two']],
  [
    'not at all until someone deletes',
    { type: 'OnDelete', rollingUpdate: null },
    ['web-0 one', 'web-1 one', 'web-2 one'],
  ],
  ['all', {}, ['web-0 two', 'web-1 two', 'web-2 two']],
])('an update goes %s', async (_, updateStrategy, expected) => {
  const world = new World();
  await aSet(world, { replicas: 3, updateStrategy: { type: 'RollingUpdate', ...updateStrategy } });
  await world.run(withPods());
  await change(world, { template: template('two') });
  await world.run(withPods());
  expect(await images(world)).toEqual(expected);
  await expectSettled(world, withPods());
  if (expected[0] === 'web-0 two') return;
  await world.user.delete(refOf(PODS, 'here', 'web-0'), { gracePeriodSeconds: 0 });
  await world.run(withPods());
  expect((await images(world))[0]).toBe(updateStrategy['type'] === 'OnDelete' ? 'web-0 two' : 'web-0 one');
});

test('an update whose pod does not start stops there, and continues when it is fixed', async () => {
  const world = new World();
  const allButBad: Rule = (pod) => (imageOf(pod) === 'bad' ? 'running' : 'ready');
  await aSet(world, { replicas: 3 });
  await world.run(withPods());
  await change(world, { template: template('bad') });
  await world.run(withPods(allButBad));
  expect(await images(world)).toEqual(['web-0 one', 'web-1 one', 'web-2 bad']);
  expect(await statusOf(world)).toMatchObject({ currentReplicas: 2, updatedReplicas: 1, readyReplicas: 2 });
  await change(world, { template: template('two') });
  await world.run(withPods(allButBad));
  expect(await images(world)).toEqual(['web-0 one', 'web-1 one', 'web-2 bad']);
  await world.user.delete(refOf(PODS, 'here', 'web-2'), { gracePeriodSeconds: 0 });
  await world.run(withPods(allButBad));
  expect(await images(world)).toEqual(['web-0 two', 'web-1 two', 'web-2 two']);
});

test.each(['failed', 'succeeded'] as const)('a pod that %s is replaced by a pod of the same name', async (fate) => {
  const world = new World();
  await aSet(world);
  let ended = '';
  const rule: Rule = (pod) => {
    if (ended === '' && nameOf(pod) === 'web-1') ended = uidOf(pod);
    return uidOf(pod) === ended ? fate : 'ready';
  };
  await world.run(withPods(rule));
  expect((await podsHere(world)).map(nameOf)).toEqual(['web-0', 'web-1']);
  expect((await podsHere(world)).map(uidOf)).not.toContain(ended);
  expect(await statusOf(world)).toMatchObject({ replicas: 2, readyReplicas: 2 });
});

test('reuses the old revision for a rollback and deletes revisions beyond the limit', async () => {
  const world = new World();
  await aSet(world, { revisionHistoryLimit: 1 });
  for (const image of ['one', 'two', 'three']) {
    await change(world, { template: template(image) });
    await world.run(withPods());
  }
  expect(await revisionsHere(world)).toEqual([2, 3]);
  await change(world, { template: template('two') });
  await world.run(withPods());
  expect(await revisionsHere(world)).toEqual([3, 4]);
  expect(await images(world)).toEqual(['web-0 two', 'web-1 two']);
});

test('counts a collision if another revision has the name', async () => {
  const world = new World();
  await aSet(world);
  await world.run(withPods());
  const [first = {}] = await world.user.list(REVISIONS);
  await world.user.delete(SET, { propagationPolicy: 'Background' });
  for (const pod of await podsHere(world))
    await world.user.delete(refOf(PODS, 'here', nameOf(pod)), { gracePeriodSeconds: 0 });
  await world.user.delete(refOf(REVISIONS, 'here', nameOf(first)));
  await world.user.create(REVISIONS, { metadata: { name: nameOf(first), namespace: 'here' }, data: {}, revision: 7 });
  await world.user.create(SETS, theSet());
  await world.run(withPods());
  expect(await statusOf(world)).toMatchObject({ collisionCount: 1, replicas: 2 });
});

test('adopts an orphan with the right name and labels, and releases pods that are no longer selected', async () => {
  const world = new World();
  await aSet(world, { replicas: 1 });
  for (const name of ['web-0', 'other-1'])
    await world.user.create(PODS, {
      ...template('one'),
      metadata: { name, namespace: 'here', labels: { app: 'web' } },
    });
  const owners = async () => (await podsHere(world)).map((pod) => [nameOf(pod), controllerOf(pod)?.name]);
  await world.run(withPods());
  expect(await owners()).toEqual([
    ['other-1', undefined],
    ['web-0', 'web'],
  ]);
  const [, adopted = {}] = await podsHere(world);
  expect(labelsOf(adopted)['statefulset.kubernetes.io/pod-name']).toBe('web-0');
  await world.user.patch(refOf(PODS, 'here', 'web-0'), { metadata: { labels: { app: 'other' } } });
  await world.run(withPods());
  expect((await owners())[1]).toEqual(['web-0', undefined]);
});

test('a pod waits until the claim of its predecessor is deleted', async () => {
  const world = new World();
  await aSet(world, {
    replicas: 1,
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
  });
  await world.run(withPods());
  await change(world, { replicas: 0 });
  await world.run(withPods());
  const claim = refOf(CLAIMS, 'here', 'data-web-0');
  expect(ownerReferencesOf((await world.user.get(claim)) ?? {})).toMatchObject([{ kind: 'Pod', name: 'web-0' }]);
  await change(world, { replicas: 1 });
  await world.run(withPods());
  expect(await podsHere(world)).toEqual([]);
  await world.user.patch(claim, { metadata: { finalizers: null } });
  await world.user.delete(claim);
  await world.run(withPods());
  expect(await podsHere(world)).toHaveLength(1);
});

test('does not touch a claim that another object controls', async () => {
  const world = new World();
  const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'x', controller: true };
  await aSet(world, {
    replicas: 0,
    volumeClaimTemplates: [claimTemplate],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
  });
  const metadata = { name: 'data-web-0', namespace: 'here', ownerReferences: [other] };
  await world.user.create(CLAIMS, { ...claimTemplate, metadata });
  await change(world, { replicas: 1 });
  await world.run(withPods());
  const [claim = {}] = await claims(world);
  expect(ownerReferencesOf(claim).map(({ name }) => name)).toEqual(['x']);
  expect(await told(world)).toContainEqual(expect.stringContaining('Warning ConflictingController'));
});

test('records events of creation', async () => {
  const world = new World();
  await aSet(world, { replicas: 1, volumeClaimTemplates: [claimTemplate] });
  await world.run(withPods());
  await change(world, { replicas: 0 });
  await world.run(withPods());
  expect((await told(world)).sort()).toEqual([
    'Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success',
    'Normal SuccessfulCreate Create Pod web-0 in StatefulSet web successful',
    'Normal SuccessfulDelete Delete Pod web-0 in StatefulSet web successful',
  ]);
});

test('reports a rejected write, and retries it', async () => {
  const world = new World();
  const refused = { ...template('one'), spec: { serviceAccountName: 'none', containers: [{ name: 'c', image: 'i' }] } };
  await aSet(world, { replicas: 1, template: refused });
  await world.run(withPods());
  expect(await told(world)).toEqual([
    expect.stringMatching(/^Warning FailedCreate Create Pod web-0 in StatefulSet web failed error: pods "web-0" is/),
  ]);
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'none', namespace: 'here' } });
  await world.run(withPods());
  expect(await statusOf(world)).toMatchObject({ readyReplicas: 1 });
});
