import { describe, expect, test } from 'vitest';
import { daemonSetController } from '#lib/controllers/daemonset/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { controllerOf, labelsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace, podsHere, REVISIONS, revisionsHere } from '#test/support/controllers/here.ts';
import { allReady, podSimulator, type Rule } from '#test/support/controllers/pod-simulator.ts';
import { imageOf } from '#test/support/controllers/pods.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const SETS = { group: 'apps', version: 'v1', resource: 'daemonsets' };
const [PODS, NODES, EVENTS] = [core('pods'), core('nodes'), core('events')];
const SET = refOf(SETS, 'here', 'agent');

const withPods =
  (rule: Rule = allReady): Reconcilers =>
  (client, clock, world) => [daemonSetController(client, clock), podSimulator(world.newClient('kubelet'), clock, rule)];

const template = (image: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'c', image }], ...spec },
});

async function aNode(world: World, name: string, labels: JsonObject = {}, taints: JsonObject[] = []): Promise<void> {
  await world.user.create(NODES, { metadata: { name, labels } });
  await taint(world, name, ...taints);
}

const taint = (world: World, node: string, ...taints: JsonObject[]) =>
  world.user.patch(refOf(NODES, '', node), { spec: { taints } });

const theSet = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'agent', namespace: 'here' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template('one'), ...spec },
});

async function aSet(world: World, nodes: readonly string[], spec: JsonObject = {}): Promise<void> {
  await aNamespace(world);
  for (const node of nodes) await aNode(world, node);
  await world.user.create(SETS, theSet(spec));
}

const change = (world: World, spec: JsonObject) => world.user.patch(SET, { spec });
const statusOf = async (world: World) => objectAt((await world.user.get(SET)) ?? {}, 'status');

/** The node that a pod's affinity selects. */
const nodeOf = (pod: JsonObject): string =>
  /"matchFields":\[\{[^\]]*"values":\["([^"]*)"/.exec(JSON.stringify(pod))?.[1] ?? '';

const placed = async (world: World): Promise<string[]> =>
  (await podsHere(world)).map((pod) => `${nodeOf(pod)} ${imageOf(pod)}`).sort();

const told = async (world: World): Promise<string[]> =>
  (await world.user.list(EVENTS, { namespace: 'here' })).map(
    (one) => `${one['type']} ${one['reason']} ${stringAt(one, 'message')?.replaceAll(/agent-[a-z0-9]{5}/g, 'POD')}`,
  );

/** Pods of this image never become ready. */
const allButBad: Rule = (pod) => (imageOf(pod) === 'bad' ? 'running' : 'ready');

describe('no matter when the controller is killed', () => {
  test('every node has one pod', async () => {
    const prepare = (world: World) => aSet(world, ['a', 'b']);
    const check = async (world: World): Promise<void> => {
      expect(await placed(world)).toEqual(['a one', 'b one']);
      expect(await statusOf(world)).toMatchObject({ desiredNumberScheduled: 2, numberAvailable: 2 });
      expect(await revisionsHere(world)).toEqual([1]);
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(6);
  });

  test.each<[string, JsonObject]>([
    ['in place of the old ones', { maxUnavailable: 1 }],
    ['beside the old ones', { maxSurge: 1, maxUnavailable: 0 }],
  ])('pods of a new template come %s', async (_, rollingUpdate) => {
    const prepare = async (world: World): Promise<void> => {
      await aSet(world, ['a'], { updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
      await world.run(withPods());
      await change(world, { template: template('two') });
    };
    const check = async (world: World): Promise<void> => {
      expect(await placed(world)).toEqual(['a two']);
      expect(await statusOf(world)).toMatchObject({ updatedNumberScheduled: 1, numberAvailable: 1 });
      expect(await revisionsHere(world)).toEqual([1, 2]);
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(6);
  });
});

test('a pod fits only on its node and has the default tolerations of daemons', async () => {
  const world = new World();
  await aSet(world, ['a'], {
    template: template('one', { hostNetwork: true, tolerations: [{ key: 'x', operator: 'Exists' }] }),
  });
  await world.run(withPods());
  const [pod = {}] = await podsHere(world);
  expect(nodeOf(pod)).toBe('a');
  const tolerations = arrayAt(objectAt(pod, 'spec'), 'tolerations').filter(isObject);
  expect(tolerations.map((one) => `${one['key']} ${one['effect'] ?? ''}`.replace('node.kubernetes.io/', ''))).toEqual([
    'x ',
    'not-ready NoExecute',
    'unreachable NoExecute',
    'disk-pressure NoSchedule',
    'memory-pressure NoSchedule',
    'pid-pressure NoSchedule',
    'unschedulable NoSchedule',
    'network-unavailable NoSchedule',
  ]);
  const [revision = {}] = await world.user.list(REVISIONS);
  expect(labelsOf(pod)).toMatchObject({
    app: 'agent',
    'pod-template-generation': '1',
    'controller-revision-hash': labelsOf(revision)['controller-revision-hash'],
  });
  await expectSettled(world, withPods());
  expect(world.faults).toEqual([]);
});

test('creates and deletes pods as nodes are added, changed and deleted', async () => {
  const world = new World();
  const disks = { spec: { nodeSelector: { disk: 'ssd' } } };
  await aSet(world, ['none'], {
    template: { ...template('one'), spec: { ...objectAt(template('one'), 'spec'), ...disks.spec } },
  });
  await aNode(world, 'a', { disk: 'ssd' });
  await world.run(withPods());
  expect(await placed(world)).toEqual(['a one']);
  await aNode(world, 'b', { disk: 'ssd' }, [{ key: 'k', effect: 'NoSchedule' }]);
  await world.run(withPods());
  expect(await placed(world)).toEqual(['a one']);
  await taint(world, 'b');
  await taint(world, 'a', { key: 'k', effect: 'NoSchedule' });
  await world.run(withPods());
  expect(await placed(world)).toEqual(['a one', 'b one']);
  expect(await statusOf(world)).toMatchObject({
    desiredNumberScheduled: 1,
    currentNumberScheduled: 1,
    numberMisscheduled: 1,
  });
  await taint(world, 'a', { key: 'k', effect: 'NoExecute' });
  await world.user.patch(refOf(NODES, '', 'b'), { metadata: { labels: { disk: null } } });
  await world.run(withPods());
  expect(await placed(world)).toEqual([]);
  await taint(world, 'a');
  await world.run(withPods());
  await world.user.delete(refOf(NODES, '', 'a'));
  await world.run(withPods());
  expect(await placed(world)).toEqual([]);
  expect(await statusOf(world)).toMatchObject({ desiredNumberScheduled: 0, numberMisscheduled: 0 });
});

test.each<[string, JsonObject, string[]]>([
  ['one at a time', { rollingUpdate: { maxUnavailable: 1 } }, ['a bad', 'b one', 'c one', 'd one']],
  ['half of them', { rollingUpdate: { maxUnavailable: '50%' } }, ['a bad', 'b bad', 'c one', 'd one']],
  [
    'one beside the old',
    { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    ['a bad', 'a one', 'b one', 'c one', 'd one'],
  ],
  ['not at all', { type: 'OnDelete' }, ['a one', 'b one', 'c one', 'd one']],
])('a failing update stops at its limit: %s', async (_, updateStrategy, expected) => {
  const world = new World();
  await aSet(world, ['a', 'b', 'c', 'd'], { updateStrategy: { type: 'RollingUpdate', ...updateStrategy } });
  await world.run(withPods());
  await change(world, { template: template('bad') });
  await world.run(withPods(allButBad));
  const images = (all: string[]) => all.map((one) => one.split(' ')[1]).sort();
  expect(images(await placed(world))).toEqual(images(expected));
  await expectSettled(world, withPods(allButBad));
  await change(world, { template: template('two') });
  await world.run(withPods(allButBad));
  const now = updateStrategy['type'] === 'OnDelete' ? 'one' : 'two';
  expect(await placed(world)).toEqual(['a', 'b', 'c', 'd'].map((node) => `${node} ${now}`));
});

test('counts a pod as available only after minReadySeconds', async () => {
  const world = new World();
  await aSet(world, ['a', 'b'], { minReadySeconds: 30 });
  await world.run(withPods());
  await change(world, { template: template('two') });
  await world.run(withPods(() => ({ readyAfter: 10_000 })));
  expect(await placed(world)).toEqual(['a two', 'b two']);
  expect(await statusOf(world)).toMatchObject({ numberReady: 2, numberAvailable: 2 });
  await expectSettled(world, withPods());
});

test('replaces a failed pod with increasing delays', async () => {
  const world = new World();
  await aSet(world, ['a']);
  const failures = new Map<string, number>();
  const rule: Rule = (pod) => {
    if (failures.size < 3 && !failures.has(uidOf(pod))) failures.set(uidOf(pod), world.clock.now());
    return failures.has(uidOf(pod)) ? 'failed' : 'ready';
  };
  await world.run(withPods(rule));
  expect(failures.size).toBe(3);
  expect(await statusOf(world)).toMatchObject({ numberReady: 1 });
  expect(await told(world)).toContain(
    'Warning FailedDaemonPod Found failed daemon pod here/POD on node a, will try to kill it',
  );
  const [first = 0, second = 0, third = 0] = failures.values();
  expect([second > first, third > second]).toEqual([false, true]);
});

test('replaces a completed pod and deletes a surplus one', async () => {
  const world = new World();
  await aSet(world, ['a']);
  let ended = '';
  const rule: Rule = (pod) => {
    if (ended === '') ended = uidOf(pod);
    return uidOf(pod) === ended ? 'succeeded' : 'ready';
  };
  await world.run(withPods(rule));
  const [pod = {}] = await podsHere(world);
  expect(await told(world)).toContain(
    'Normal SucceededDaemonPod Found succeeded daemon pod here/POD on node a, will try to delete it',
  );
  const { metadata: _, status: __, ...copy } = pod;
  const labels = { ...labelsOf(pod) };
  await world.user.create(PODS, { ...copy, metadata: { name: 'zz', namespace: 'here', labels } });
  await world.run(withPods(rule));
  expect((await podsHere(world)).map(nameOf)).toEqual([nameOf(pod)]);
});

test('reuses the old revision for a rollback and deletes revisions beyond the limit', async () => {
  const world = new World();
  await aSet(world, ['a'], { revisionHistoryLimit: 1 });
  for (const image of ['one', 'two', 'three']) {
    await change(world, { template: template(image) });
    await world.run(withPods());
  }
  expect(await revisionsHere(world)).toEqual([2, 3]);
  await change(world, { template: template('two') });
  await world.run(withPods());
  expect(await revisionsHere(world)).toEqual([3, 4]);
  expect(await placed(world)).toEqual(['a two']);
});

test('merges adopted revisions with the same content, including their pods', async () => {
  const world = new World();
  await aSet(world, ['a']);
  await world.run(withPods());
  const [revision = {}] = await world.user.list(REVISIONS);
  const [pod = {}] = await podsHere(world);
  const { metadata: _, ...said } = revision;
  const labels = { app: 'agent', 'controller-revision-hash': 'other' };
  await world.user.create(REVISIONS, { ...said, metadata: { name: 'other', namespace: 'here', labels }, revision: 5 });
  await world.run(withPods());
  expect((await world.user.list(REVISIONS)).map(nameOf)).toEqual(['other']);
  expect((await podsHere(world)).map((one) => [uidOf(one), labelsOf(one)['controller-revision-hash']])).toEqual([
    [uidOf(pod), 'other'],
  ]);
  await expectSettled(world, withPods());
});

test('keeps a revision that a user creates for the set until something else changes', async () => {
  const world = new World();
  await aSet(world, ['a']);
  await world.run(withPods());
  const [revision = {}] = await world.user.list(REVISIONS);
  const { metadata, ...said } = revision;
  const ownerReferences = objectAt({ metadata: metadata ?? {} }, 'metadata')?.['ownerReferences'] ?? [];
  const made = { name: 'made', namespace: 'here', labels: { app: 'agent' }, ownerReferences };
  let isMade = false;
  await world.run((client, clock) => {
    const controller = daemonSetController(client, clock);
    const reconcile = async (key: string) => {
      const result = await controller.reconcile(key);
      if (!isMade) await world.user.create(REVISIONS, { ...said, metadata: made, revision: 5 });
      isMade = true;
      return result;
    };
    return [{ ...controller, reconcile }];
  });
  expect(await revisionsHere(world)).toEqual([1, 5]);
  await world.run(withPods());
  expect(await revisionsHere(world)).toEqual([5]);
});

test('counts a collision if another revision has the name', async () => {
  const world = new World();
  await aSet(world, ['a']);
  await world.run(withPods());
  const [first = {}] = await world.user.list(REVISIONS);
  await world.user.delete(SET, { propagationPolicy: 'Background' });
  await world.user.delete(refOf(REVISIONS, 'here', nameOf(first)));
  await world.user.create(REVISIONS, { metadata: { name: nameOf(first), namespace: 'here' }, data: {}, revision: 7 });
  await world.user.create(SETS, theSet());
  await world.run(withPods());
  expect(await statusOf(world)).toMatchObject({ collisionCount: 1, numberReady: 1 });
  expect(await revisionsHere(world)).toEqual([1, 7]);
});

test('adopts orphans, releases pods that are no longer selected, and records events', async () => {
  const world = new World();
  await aSet(world, ['a']);
  await world.run(withPods());
  const [pod = {}] = await podsHere(world);
  await world.user.patch(refOf(PODS, 'here', nameOf(pod)), { metadata: { labels: { app: 'other' } } });
  await world.run(withPods());
  const owners = async () =>
    (await podsHere(world)).map((one) => `${labelsOf(one)['app']} ${controllerOf(one)?.name ?? ''}`).sort();
  expect(await owners()).toEqual(['agent agent', 'other ']);
  await world.user.patch(refOf(PODS, 'here', nameOf(pod)), { metadata: { labels: { app: 'agent' } } });
  await world.run(withPods());
  expect(await owners()).toEqual(['agent agent']);
  expect((await told(world)).sort()).toEqual([
    'Normal SuccessfulCreate Created pod: POD',
    'Normal SuccessfulCreate Created pod: POD',
    'Normal SuccessfulDelete Deleted pod: POD',
  ]);
});
