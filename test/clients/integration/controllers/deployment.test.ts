import { describe, expect, test } from 'vitest';
import { deploymentController } from '#lib/controllers/deployment/reconcile.ts';
import { REPLICA_SET } from '#lib/controllers/replicaset/kinds.ts';
import { replicaSetController } from '#lib/controllers/replicaset/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { allReady, podSimulator, type Rule } from '#test/support/controllers/pod-simulator.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const DEPLOYMENTS = { group: 'apps', version: 'v1', resource: 'deployments' };
const WEB = refOf(DEPLOYMENTS, 'here', 'web');
const SETS = REPLICA_SET.resource;
const REVISION = 'deployment.kubernetes.io/revision';

const withPods =
  (rule: Rule = allReady): Reconcilers =>
  (client, clock, world) => [
    deploymentController(client, clock),
    replicaSetController(client, clock, REPLICA_SET),
    podSimulator(world.newClient('kubelet'), clock, rule),
  ];

const images = (of: JsonObject | undefined): string[] =>
  arrayAt(objectAt(of, 'spec'), 'containers')
    .filter(isObject)
    .map((one) => stringAt(one, 'image') ?? '');

/** Pods of this image never become ready. */
const allButBad: Rule = (pod) => (images(pod).includes('bad') ? 'running' : 'ready');

const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
});

async function aDeployment(world: World, spec: JsonObject = {}): Promise<void> {
  await aNamespace(world);
  await world.user.create(DEPLOYMENTS, {
    metadata: { name: 'web', namespace: 'here' },
    spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('one'), ...spec },
  });
}

const change = (world: World, spec: JsonObject) => world.user.patch(WEB, { spec });
const deploymentOf = async (world: World): Promise<JsonObject> => (await world.user.get(WEB)) ?? {};
const statusOf = async (world: World) => objectAt(await deploymentOf(world), 'status');

/** The image, size and revision of every replica set, by revision. */
async function sets(world: World): Promise<unknown[][]> {
  const all = await world.user.list(SETS, { namespace: 'here' });
  const shown = all.map((set) => {
    const spec = objectAt(set, 'spec');
    return [images(objectAt(spec, 'template'))[0], spec?.['replicas'], annotationsOf(set)[REVISION]];
  });
  return shown.sort((a, b) => Number(BigInt(String(a[2] ?? 0)) - BigInt(String(b[2] ?? 0))));
}

async function conditions(world: World): Promise<Record<string, string>> {
  const all = arrayAt(await statusOf(world), 'conditions').filter(isObject);
  return Object.fromEntries(all.map((one) => [stringAt(one, 'type'), `${one['status']} ${one['reason']}`]));
}

const COMPLETE = { Available: 'True MinimumReplicasAvailable', Progressing: 'True NewReplicaSetAvailable' };

describe('no matter when the controllers are killed', () => {
  test.each<[string, JsonObject]>([
    ['a rolling update', {}],
    ['an update that recreates', { strategy: { type: 'Recreate' } }],
  ])('%s ends with all pods from the new template', async (_, spec) => {
    const prepare = async (world: World): Promise<void> => {
      await aDeployment(world, { replicas: 1, ...spec });
      await world.run(withPods());
      await change(world, { template: template('two') });
    };
    const check = async (world: World): Promise<void> => {
      expect(await sets(world)).toEqual([
        ['one', 0, '1'],
        ['two', 1, '2'],
      ]);
      expect(await statusOf(world)).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
      expect(await conditions(world)).toEqual(COMPLETE);
      expect(annotationsOf(await deploymentOf(world))[REVISION]).toBe('2');
    };
    expect(await surviveEveryCrash({ make: withPods(), prepare, check })).toBeGreaterThan(11);
  });
});

test('a first rollout', async () => {
  const world = new World();
  await aDeployment(world);
  await world.run(withPods());
  expect(await sets(world)).toEqual([['one', 2, '1']]);
  expect(await statusOf(world)).toMatchObject({
    observedGeneration: 1,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  });
  expect(await conditions(world)).toEqual(COMPLETE);
  await expectSettled(world, withPods());
  expect(world.faults).toEqual([]);
});

test('an update whose pods do not start keeps the minimum available and then exceeds its deadline', async () => {
  const world = new World();
  await aDeployment(world, { replicas: 4, progressDeadlineSeconds: 30 });
  await world.run(withPods(allButBad));
  await change(world, { template: template('bad') });
  await world.run(withPods(allButBad));
  expect(await sets(world)).toEqual([
    ['one', 3, '1'],
    ['bad', 2, '2'],
  ]);
  expect(await conditions(world)).toEqual({
    Available: 'True MinimumReplicasAvailable',
    Progressing: 'False ProgressDeadlineExceeded',
  });
  await expectSettled(world, withPods(allButBad));

  await change(world, { template: template('one') });
  await world.run(withPods(allButBad));
  expect(await sets(world)).toEqual([
    ['bad', 0, '2'],
    ['one', 4, '3'],
  ]);
  expect(await conditions(world)).toEqual(COMPLETE);
});

test('scales the sets proportionally if the deployment grows during an update', async () => {
  const world = new World();
  await aDeployment(world, { replicas: 4 });
  await world.run(withPods(allButBad));
  await change(world, { template: template('bad') });
  await world.run(withPods(allButBad));
  await change(world, { replicas: 8 });
  await world.run(withPods(allButBad));
  expect(await sets(world)).toEqual([
    ['one', 6, '1'],
    ['bad', 4, '2'],
  ]);
});

test('a paused deployment scales but does not update, and resumes', async () => {
  const world = new World();
  await aDeployment(world);
  await world.run(withPods());
  await change(world, { paused: true, replicas: 3, template: template('two') });
  await world.run(withPods());
  expect(await sets(world)).toEqual([['one', 3, '1']]);
  expect(await conditions(world)).toMatchObject({ Progressing: 'Unknown DeploymentPaused' });
  await change(world, { paused: false });
  await world.run(withPods());
  expect(await sets(world)).toEqual([
    ['one', 0, '1'],
    ['two', 3, '2'],
  ]);
  expect(await conditions(world)).toEqual(COMPLETE);
});

test('deletes old sets beyond the history limit', async () => {
  const world = new World();
  await aDeployment(world, { revisionHistoryLimit: 1 });
  for (const image of ['one', 'two', 'three']) {
    await change(world, { template: template(image) });
    await world.run(withPods());
  }
  expect(await sets(world)).toEqual([
    ['two', 0, '2'],
    ['three', 2, '3'],
  ]);
});

test('reuses the old set for a rollback and records its former revision', async () => {
  const world = new World();
  await aDeployment(world);
  await world.run(withPods());
  await change(world, { template: template('two') });
  await world.run(withPods());
  const annotations = { 'deprecated.deployment.rollback.to': '0' };
  await world.user.patch(WEB, { metadata: { annotations } });
  await world.run(withPods());
  expect(await sets(world)).toEqual([
    ['two', 0, '2'],
    ['one', 2, '3'],
  ]);
  const back = (await world.user.list(SETS)).find((set) => annotationsOf(set)[REVISION] === '3');
  expect(annotationsOf(back ?? {})['deployment.kubernetes.io/revision-history']).toBe('1');
  expect(annotationsOf(await deploymentOf(world))).not.toHaveProperty(Object.keys(annotations));
});

test('adopts an existing set if its selector matches', async () => {
  const world = new World();
  await aDeployment(world, { paused: true });
  const labels = { app: 'web', 'pod-template-hash': 'x' };
  await world.user.create(SETS, {
    metadata: { name: 'old', namespace: 'here', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { ...template('one'), metadata: { labels } },
    },
  });
  await change(world, { paused: false });
  await world.run(withPods());
  expect((await world.user.list(SETS)).map(nameOf)).toEqual(['old']);
  expect(await sets(world)).toEqual([['one', 2, '1']]);
});

test('counts revisions beyond the exact range of a double', async () => {
  const world = new World();
  await aDeployment(world);
  await world.run(withPods());
  const [first] = await world.user.list(SETS);
  const name = nameOf(first ?? {});
  await world.user.patch(refOf(SETS, 'here', name), {
    metadata: { annotations: { [REVISION]: '3546343826724305832' } },
  });
  await change(world, { template: template('two') });
  await world.run(withPods());
  expect(await sets(world)).toEqual([
    ['one', 0, '3546343826724305832'],
    ['two', 2, '3546343826724305833'],
  ]);
});

test('does not create a replica set with a name that is already in use', async () => {
  const world = new World();
  await aDeployment(world);
  await world.run(withPods());
  const [first] = await world.user.list(SETS);
  const name = nameOf(first ?? {});
  await world.user.patch(refOf(SETS, 'here', name), {
    metadata: { ownerReferences: null, labels: { app: 'other' } },
  });
  await world.run(withPods());
  expect((await world.user.list(SETS)).map(nameOf)).toHaveLength(2);
  expect(await statusOf(world)).toMatchObject({ collisionCount: 1, replicas: 2 });
});

test('records events when it scales', async () => {
  const world = new World();
  await aDeployment(world);
  await world.run(withPods());
  const events = await world.user.list(core('events'), { fieldSelector: 'involvedObject.kind=Deployment' });
  expect(events).toMatchObject([
    {
      type: 'Normal',
      reason: 'ScalingReplicaSet',
      message: expect.stringMatching(/^Scaled up replica set web-[a-z0-9]+ from 0 to 2$/),
      source: { component: 'deployment-controller' },
    },
  ]);
});
