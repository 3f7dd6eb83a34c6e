import { describe, expect, test } from 'vitest';
import { resourceClaimController } from '#lib/controllers/resourceclaim/reconcile.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, controllerOf, finalizersOf, labelsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [resourceClaimController(client, clock)];
const PODS = core('pods');
const resource = (name: string) => ({ group: 'resource.k8s.io', version: 'v1', resource: name });
const CLAIMS = resource('resourceclaims');
const PROTECTION = 'resource.kubernetes.io/delete-protection';
const devices = { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }] };
const allocation = {
  devices: { results: [{ request: 'gpu', driver: 'd.example.com', pool: 'p', device: 'x' }] },
};

async function prepare(world: World): Promise<void> {
  await aNamespace(world, 'default');
}

const aTemplate = (world: World): Promise<JsonObject> =>
  world.user.create(resource('resourceclaimtemplates'), {
    metadata: { name: 'gpus', namespace: 'default' },
    spec: { metadata: { labels: { from: 'template' } }, spec: { devices } },
  });

const aPod = (world: World, claim: JsonObject, spec: JsonObject = {}): Promise<JsonObject> =>
  world.user.create(PODS, {
    metadata: { name: 'pod', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i' }], resourceClaims: [{ name: 'gpu', ...claim }], ...spec },
  });

const claims = (world: World): Promise<readonly JsonObject[]> => world.user.list(CLAIMS);
const pod = refOf(PODS, 'default', 'pod');

/** Allocates the claim as the scheduler does. */
async function allocate(world: World, name: string, reservedFor: JsonObject[] = []): Promise<void> {
  const ref = refOf(CLAIMS, 'default', name);
  await world.user.patch(ref, { metadata: { finalizers: [PROTECTION] } });
  await world.user.patch(
    ref,
    { status: { allocation, ...(reservedFor.length === 0 ? {} : { reservedFor }) } },
    'status',
  );
}

const aClaim = (world: World): Promise<JsonObject> =>
  world.user.create(CLAIMS, { metadata: { name: 'own', namespace: 'default' }, spec: { devices } });

const end = (world: World): Promise<JsonObject> => world.user.patch(pod, { status: { phase: 'Succeeded' } }, 'status');

describe('a pod that asks for a claim by template', () => {
  test('gets a claim, named in its status, no matter when the controller is killed', async () => {
    const kills = await surviveEveryCrash({
      make,
      async prepare(world) {
        await prepare(world);
        await aTemplate(world);
        await aPod(world, { resourceClaimTemplateName: 'gpus' });
      },
      async check(world) {
        const [claim = {}, ...others] = await claims(world);
        expect(others).toEqual([]);
        expect(nameOf(claim)).toMatch(/^pod-gpu-.{5}$/);
        expect(annotationsOf(claim)).toEqual({ 'resource.kubernetes.io/pod-claim-name': 'gpu' });
        expect(labelsOf(claim)).toEqual({ from: 'template' });
        const found = (await world.user.get(pod)) ?? {};
        expect(controllerOf(claim)?.uid).toBe(uidOf(found));
        expect(items(objectAt(found, 'status'), 'resourceClaimStatuses')).toEqual([
          { name: 'gpu', resourceClaimName: nameOf(claim) },
        ]);
      },
    });
    expect(kills).toBeGreaterThan(3);
  });

  test('gets a new claim after a user deletes it', async () => {
    const world = new World();
    await prepare(world);
    await aTemplate(world);
    await aPod(world, { resourceClaimTemplateName: 'gpus' });
    await world.run(make);
    const [first = {}] = await claims(world);
    await world.user.delete(refOf(CLAIMS, 'default', nameOf(first)));
    await world.run(make);
    const [second = {}] = await claims(world);
    expect(uidOf(second)).not.toBe(uidOf(first));
    await expectSettled(world, make);
  });

  test('reports a missing template only once, and creates the claim when the template appears', async () => {
    const world = new World();
    await prepare(world);
    await aPod(world, { resourceClaimTemplateName: 'gpus' });
    await world.run(make);
    const events = await world.user.list(core('events'));
    expect(events).toMatchObject([
      {
        reason: 'FailedResourceClaimCreation',
        message: 'PodResourceClaim gpu: resource claim template "gpus": resourceclaimtemplate "gpus" not found',
        count: 1,
      },
    ]);
    await aTemplate(world);
    await world.run(make);
    expect(await claims(world)).toHaveLength(1);
  });
});

describe('when its pod is done', () => {
  test('a generated claim is freed and deleted, no matter when the controller is killed', async () => {
    await surviveEveryCrash({
      make,
      async prepare(world) {
        await prepare(world);
        await aTemplate(world);
        const owner = await aPod(world, { resourceClaimTemplateName: 'gpus' }, { nodeName: 'node' });
        await world.run(make);
        const [claim = {}] = await claims(world);
        await allocate(world, nameOf(claim), [{ resource: 'pods', name: 'pod', uid: uidOf(owner) }]);
        await end(world);
      },
      check: async (world) => expect(await claims(world)).toEqual([]),
    });
  });

  test('a claim of the user is freed and stays, no matter when the controller is killed', async () => {
    await surviveEveryCrash({
      make,
      async prepare(world) {
        await prepare(world);
        await aClaim(world);
        const owner = await aPod(world, { resourceClaimName: 'own' }, { nodeName: 'node' });
        await allocate(world, 'own', [{ resource: 'pods', name: 'pod', uid: uidOf(owner) }]);
        await end(world);
      },
      async check(world) {
        const [claim = {}] = await claims(world);
        expect(objectAt(claim, 'status')?.['allocation']).toBeUndefined();
        expect(objectAt(claim, 'status')?.['reservedFor']).toBeUndefined();
        // If a process is killed between the two writes, the finalizer stays until the claim is deleted, as in upstream.
        await world.user.delete(refOf(CLAIMS, 'default', 'own'));
        await world.run(make);
        expect(await claims(world)).toEqual([]);
      },
    });
  });

  test('a freed claim loses the finalizer of the scheduler', async () => {
    const world = new World();
    await prepare(world);
    await aClaim(world);
    await allocate(world, 'own', [{ resource: 'pods', name: 'gone', uid: 'gone' }]);
    await world.run(make);
    const [claim = {}] = await claims(world);
    expect(finalizersOf(claim)).toEqual([]);
    expect(objectAt(claim, 'status')?.['allocation']).toBeUndefined();
  });
});

test('an allocated claim is reserved for a pod that already has a node', async () => {
  const world = new World();
  await prepare(world);
  await aClaim(world);
  const user = await aPod(world, { resourceClaimName: 'own' }, { nodeName: 'node' });
  await world.run(make);
  await allocate(world, 'own');
  await world.run(make);
  const [claim = {}] = await claims(world);
  expect(objectAt(claim, 'status')?.['reservedFor']).toEqual([{ resource: 'pods', name: 'pod', uid: uidOf(user) }]);
  await expectSettled(world, make);
});

test('an unused claim that is being deleted is freed and removed', async () => {
  const world = new World();
  await prepare(world);
  await aClaim(world);
  await allocate(world, 'own');
  await world.run(make);
  expect(await claims(world)).toHaveLength(1);
  await world.user.delete(refOf(CLAIMS, 'default', 'own'));
  await world.run(make);
  expect(await claims(world)).toEqual([]);
});
