import { describe, expect, test } from 'vitest';
import { nodeLifecycle } from '#lib/controllers/node-lifecycle/reconcile.ts';
import { taintEviction } from '#lib/controllers/taint-eviction/reconcile.ts';
import { arrayAt, isObject, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { expectSettled, surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const HOUR = 3_600_000;
const make: Reconcilers = (client, clock) => [
  ...nodeLifecycle(client, clock, { monitor: HOUR, startup: HOUR }),
  taintEviction(client, clock),
];
const [NODES, PODS] = [core('nodes'), core('pods')];
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const TYPES = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

const now = (world: World): string => new Date(world.clock.now()).toISOString().replace(/\.\d+/, '');

const microTime = (world: World): string => new Date(world.clock.now()).toISOString().replace('Z', '000Z');

async function prepare(world: World): Promise<void> {
  for (const name of ['here', 'default', 'kube-node-lease'])
    await world.user.create(NAMESPACES, { metadata: { name } });
  await world.user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'here' } });
}

async function aNode(world: World, name: string): Promise<void> {
  await world.user.create(NODES, { metadata: { name, labels: { 'kubernetes.io/os': 'linux' } } });
  await speak(world, name, 'True');
}

/** Reports a status, as the node does. */
const speak = (world: World, name: string, ready: string) =>
  world.user.patch(
    refOf(NODES, '', name),
    {
      status: {
        conditions: TYPES.map((type) => ({
          type,
          status: type === 'Ready' ? ready : 'False',
          lastHeartbeatTime: now(world),
          lastTransitionTime: now(world),
        })),
      },
    },
    'status',
  );

async function aPod(world: World, name: string, nodeName: string, tolerations: JsonObject[] = []): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'c', image: 'i' }], tolerations, terminationGracePeriodSeconds: 30 };
  await world.user.create(PODS, { metadata: { name, namespace: 'here' }, spec });
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: now(world) }];
  await world.user.patch(refOf(PODS, 'here', name), { status: { phase: 'Running', conditions } }, 'status');
}

const taints = async (world: World, name: string): Promise<string[]> =>
  arrayAt(objectAt((await world.user.get(refOf(NODES, '', name))) ?? {}, 'spec'), 'taints')
    .filter(isObject)
    .map((one) => `${String(one['key']).replace('node.kubernetes.io/', '')} ${one['effect']}`)
    .sort();

const conditions = async (world: World, ref: Parameters<World['user']['get']>[0]): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    arrayAt(objectAt((await world.user.get(ref)) ?? {}, 'status'), 'conditions')
      .filter(isObject)
      .map((one) => [one['type'], one['status']]),
  );

const going = async (world: World): Promise<string[]> =>
  (await world.user.list(PODS)).filter(isDeleting).map(nameOf).sort();

const forever = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' };

/** Two nodes, one of which has been silent for a long time. */
async function twoNodes(world: World): Promise<void> {
  await prepare(world);
  await aNode(world, 'dead');
  world.clock.advance(2 * HOUR);
  await aNode(world, 'alive');
  await aPod(world, 'stays', 'dead', [forever]);
  await aPod(world, 'leaves', 'dead', [{ ...forever, tolerationSeconds: 30 }]);
  await aPod(world, 'lives', 'alive');
}

describe('a node that stops reporting', () => {
  test('becomes NotReady and its pods are replaced elsewhere, no matter when the controllers are killed', async () => {
    const check = async (world: World): Promise<void> => {
      expect(await conditions(world, refOf(NODES, '', 'dead'))).toMatchObject({
        Ready: 'Unknown',
        MemoryPressure: 'Unknown',
      });
      expect(await conditions(world, refOf(PODS, 'here', 'stays'))).toMatchObject({ Ready: 'False' });
      expect(await taints(world, 'dead')).toEqual(['unreachable NoExecute', 'unreachable NoSchedule']);
      expect(await going(world)).toEqual(['leaves']);
      expect(await conditions(world, refOf(PODS, 'here', 'leaves'))).toMatchObject({ DisruptionTarget: 'True' });
    };
    expect(await surviveEveryCrash({ make, prepare: twoNodes, check })).toBeGreaterThan(12);
  });

  test('is healthy again as soon as it reports', async () => {
    const world = new World();
    await twoNodes(world);
    await world.run(make);
    expect(await taints(world, 'dead')).toHaveLength(2);
    await speak(world, 'dead', 'True');
    await world.run(make);
    expect(await taints(world, 'dead')).toEqual([]);
    expect(world.faults).toEqual([]);
  });
});

test.each([-24 * HOUR, 24 * HOUR])(
  'a wall clock that jumps by %d ms neither loses a node nor keeps a lost one',
  async (jump) => {
    const world = new World();
    await prepare(world);
    await aNode(world, 'alive');
    const [lifecycle] = nodeLifecycle(world.user, world.clock, { monitor: 50_000, startup: 60_000 });
    expect(await lifecycle?.reconcile('node/alive')).toEqual({ requeueAfter: 50_000 });
    world.clock.jump(jump);
    expect(await lifecycle?.reconcile('node/alive')).toEqual({ requeueAfter: 50_000 });
    world.clock.advance(50_000);
    expect(await lifecycle?.reconcile('node/alive')).toBeUndefined();
    expect(await conditions(world, refOf(NODES, '', 'alive'))).toMatchObject({ Ready: 'Unknown' });
  },
);

test.each([
  ['kept if it speaks within ten seconds', true],
  ['lost ten seconds later if it stays silent', false],
])('a node that reported while the process was frozen is %s', async (_, speaks) => {
  const world = new World();
  await prepare(world);
  await aNode(world, 'alive');
  const [lifecycle] = nodeLifecycle(world.user, world.clock, { monitor: 50_000, startup: 60_000 });
  expect(await lifecycle?.reconcile('node/alive')).toEqual({ requeueAfter: 50_000 });
  world.clock.advance(65_000);
  expect(await lifecycle?.reconcile('node/alive')).toEqual({ requeueAfter: 10_000 });
  expect(await conditions(world, refOf(NODES, '', 'alive'))).toMatchObject({ Ready: 'True' });
  world.clock.advance(9000);
  if (speaks) await speak(world, 'alive', 'True');
  world.clock.advance(1000);
  const wait = (await lifecycle?.reconcile('node/alive'))?.requeueAfter ?? 0;
  expect(wait > 0).toBe(speaks);
  expect(await conditions(world, refOf(NODES, '', 'alive'))).toMatchObject({ Ready: speaks ? 'True' : 'Unknown' });
});

test('checks a node that renews its Lease each minute at most every four minutes, and detects when it stops', async () => {
  const world = new World();
  await prepare(world);
  const [monitor, minute] = [300_000, 60_000];
  const [lifecycle] = nodeLifecycle(world.user, world.clock, { monitor, startup: minute });
  await aNode(world, 'alive');
  const lease = { metadata: { name: 'alive' }, spec: { renewTime: microTime(world) } };
  await world.user.create(LEASES, { ...lease, metadata: { ...lease.metadata, namespace: 'kube-node-lease' } });
  let due = 0;
  let looks = 0;
  for (let at = 0; at < 60 * minute; at += minute) {
    const spec = { renewTime: microTime(world) };
    await world.user.patch(refOf(LEASES, 'kube-node-lease', 'alive'), { spec });
    world.clock.advance(minute - 1);
    if (at + minute - 1 >= due) {
      const result = await lifecycle?.reconcile('node/alive');
      expect(result?.requeueAfter).toBeGreaterThanOrEqual(4 * minute);
      due = at + minute - 1 + (result?.requeueAfter ?? 0);
      looks++;
    }
    world.clock.advance(1);
  }
  expect(looks).toBeLessThanOrEqual(15);
  expect(await conditions(world, refOf(NODES, '', 'alive'))).toMatchObject({ Ready: 'True' });
  const renewed = world.clock.now() - minute;
  for (let wait = due - 60 * minute; wait > 0; ) {
    world.clock.advance(wait);
    wait = (await lifecycle?.reconcile('node/alive'))?.requeueAfter ?? 0;
  }
  expect(world.clock.now() - renewed).toBeGreaterThanOrEqual(monitor);
  expect(world.clock.now() - renewed).toBeLessThanOrEqual(monitor + minute);
  expect(await conditions(world, refOf(NODES, '', 'alive'))).toMatchObject({ Ready: 'Unknown' });
});

test('a node that is ready without a heartbeat has the grace period from its first observation', async () => {
  const world = new World();
  await prepare(world);
  await world.user.create(NODES, { metadata: { name: 'fake' } });
  world.clock.advance(2 * HOUR);
  const conditionsOfFake = [{ type: 'Ready', status: 'True' }];
  await world.user.patch(refOf(NODES, '', 'fake'), { status: { conditions: conditionsOfFake } }, 'status');
  await world.run(make);
  expect(await conditions(world, refOf(NODES, '', 'fake'))).toEqual({ Ready: 'True' });
  expect(await taints(world, 'fake')).toEqual([]);
  const short: Reconcilers = (client, clock) => nodeLifecycle(client, clock, { monitor: 50_000, startup: 60_000 });
  await world.run(short);
  expect(await conditions(world, refOf(NODES, '', 'fake'))).toMatchObject({ Ready: 'Unknown' });
});

test('records NodeNotReady only for a node that was ready', async () => {
  const world = new World();
  await prepare(world);
  for (const ready of ['True', 'False']) {
    await aNode(world, `was-${ready.toLowerCase()}`);
    await speak(world, `was-${ready.toLowerCase()}`, ready);
  }
  world.clock.advance(2 * HOUR);
  await world.run(make);
  const told = (await world.user.list(core('events'))).filter((one) => one['reason'] === 'NodeNotReady');
  expect(told.map((one) => one['message'])).toEqual(['Node was-true status is now: NodeNotReady']);
  expect(await conditions(world, refOf(NODES, '', 'was-false'))).toMatchObject({ Ready: 'Unknown' });
});

test('taints set by users evict pods immediately or after tolerationSeconds', async () => {
  const world = new World();
  await twoNodes(world);
  await world.user.patch(refOf(NODES, '', 'alive'), { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } });
  await aPod(world, 'later', 'alive', [{ key: 'x', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }]);
  await world.run((client, clock) => [taintEviction(client, clock)]);
  expect(await going(world)).toEqual(['later', 'lives']);
  const events = (await world.user.list(core('events'))).map((one) => `${one['reason']} ${one['message']}`).sort();
  expect(events).toEqual([
    'TaintManagerEviction Marking for deletion Pod here/later',
    'TaintManagerEviction Marking for deletion Pod here/lives',
  ]);
  await expectSettled(world, (client, clock) => [taintEviction(client, clock)]);
});

test('records when nodes are registered and removed', async () => {
  const world = new World();
  await prepare(world);
  await aNode(world, 'a');
  let isDeleted = false;
  await world.run((client, clock, of) => [
    ...make(client, clock, of),
    {
      name: 'user',
      keys: ({ resource, object }) => (resource === 'events' && object()['reason'] === 'RegisteredNode' ? ['a'] : []),
      async reconcile() {
        if (!isDeleted) await world.user.delete(refOf(NODES, '', 'a'));
        isDeleted = true;
        return undefined;
      },
    },
  ]);
  const told = (await world.user.list(core('events'))).map(
    (one) => `${one['type']} ${one['reason']} ${one['message']}`,
  );
  expect(told.sort()).toEqual([
    'Normal RegisteredNode Node a event: Registered Node a in Controller',
    'Normal RemovingNode Node a event: Removing Node a from Controller',
  ]);
});
