import { describe, expect, onTestFinished, test } from 'vitest';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import { inStep } from '#test/support/controllers/in-step.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { RETENTION } from '#test/support/server-in-process.ts';
import { simulationOf } from './simulation.ts';
import { startApiserver } from './start-apiserver.ts';

const [NODES, PODS] = [core('nodes'), core('pods')];
const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
const NODE = refOf(NODES, '', 'simulated-0');
const LEASE = refOf(LEASES, 'kube-node-lease', 'simulated-0');
const pod = (name: string) => refOf(PODS, 'default', name);
const CONTAINERS = [{ name: 'c', image: 'i' }];

/** A server with one simulated node, on a clock that only `pass` advances. */
async function started(clock = new ManualClock(), store = new MemoryStore({ clock, retention: RETENTION })) {
  const simulation = await simulationOf({ simulatedNodes: 1 }, clock);
  const { server, faults, invoked, pass, control } = inStep(store, clock, simulation);
  const controllers = await control('*');
  const user = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'user' });
  const close = async (): Promise<void> => {
    await controllers.close();
    await server.close();
  };
  onTestFinished(close);
  await pass(3);
  return { user, faults, invoked, pass, store, clock, close };
}

const bound = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'default', ...metadata },
  spec: { containers: CONTAINERS, nodeName: 'simulated-0', ...spec },
});
const behaviours = (given: Record<string, string>): JsonObject =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [`simulated.davit.dev/${name}`, value]));
const read = async (user: Client, name: string): Promise<JsonObject | undefined> => user.get(pod(name));
const phaseOf = async (user: Client, name: string): Promise<string> =>
  text(at(await read(user, name), 'status'), 'phase');

describe('a simulated node', () => {
  test('is ready, without taints, and renews its lease every ten seconds', async () => {
    const { user, pass, faults } = await started();
    const node = (await user.get(NODE)) ?? {};
    expect(items(at(node, 'spec'), 'taints')).toEqual([]);
    expect(items(at(node, 'status'), 'conditions').at(-1)).toMatchObject({ type: 'Ready', status: 'True' });
    const renewed = async (): Promise<number> => Date.parse(text(at(await user.get(LEASE), 'spec'), 'renewTime'));
    const first = await renewed();
    await pass(10);
    expect((await renewed()) - first).toBe(10_000);
    await pass(290);
    expect((await user.get(NODE)) ?? {}).toMatchObject({ spec: { podCIDR: '10.244.0.0/24' } });
    expect(items(at(await user.get(NODE), 'status'), 'conditions').at(-1)).toMatchObject({ status: 'True' });
    expect(faults).toEqual([]);
  });

  test('reports its status every five minutes', async () => {
    const { user, pass } = await started();
    const versions = new Set<string>();
    for (let minute = 0; minute < 9; minute++) {
      versions.add(text(items(at(await user.get(NODE), 'status'), 'conditions').at(-1), 'lastHeartbeatTime'));
      await pass(60);
    }
    expect(versions.size).toBe(2);
  });

  test('is not recreated after it was deleted', async () => {
    const { user, pass } = await started();
    await user.delete(NODE);
    await pass(30);
    expect(await user.get(NODE)).toBeUndefined();
  });

  test('does not replace a real node of the same name', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock, retention: RETENTION });
    const before = inStep(store, clock);
    const admin = apiClient({ handle: before.server.handle, token: before.server.loopbackToken, userAgent: 'user' });
    const range = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] };
    await admin.create(NODES, { metadata: { name: 'simulated-0' }, spec: range });
    await before.server.close();
    const { user, pass, faults } = await started(clock, store);
    await user.create(PODS, bound('p', { serviceAccountName: 'default' }));
    await pass(20);
    expect(await phaseOf(user, 'p')).toBe('Pending');
    expect(at(await user.get(NODE), 'spec')).toMatchObject(range);
    expect(await user.get(LEASE)).toBeUndefined();
    expect(faults.map(String)).toEqual(['Error: there is a node simulated-0 that is not simulated']);
  });
});

describe('pods of a simulated node', () => {
  test('run, and have unique addresses of its range', async () => {
    const { user, pass, faults } = await started();
    const names = Array.from({ length: 5 }, (_, i) => `p${i}`);
    for (const name of names) await user.create(PODS, bound(name));
    await user.create(PODS, bound('host', { hostNetwork: true }));
    await pass(2);
    const addresses = await Promise.all(names.map(async (name) => text(at(await read(user, name), 'status'), 'podIP')));
    expect(new Set(addresses).size).toBe(5);
    for (const address of addresses) expect(address).toMatch(/^10\.244\.0\.\d+$/);
    expect(at(await read(user, 'host'), 'status')).toMatchObject({ podIP: '172.18.0.2', hostIP: '172.18.0.2' });
    expect(faults).toEqual([]);
  });

  test('are written only once', async () => {
    const { user, pass, store } = await started();
    await user.create(PODS, bound('p'));
    await pass(5);
    const head = await store.sequence('main//pods').head();
    await pass(60);
    expect(await store.sequence('main//pods').head()).toBe(head);
  });

  test('disappear when they are deleted and their finalizers are removed', async () => {
    const { user, pass } = await started();
    await user.create(PODS, bound('plain'));
    await user.create(PODS, bound('held', {}, { finalizers: ['example.com/held'] }));
    await pass(2);
    for (const name of ['plain', 'held']) await user.delete(pod(name));
    await pass(2);
    expect(await read(user, 'plain')).toBeUndefined();
    expect(await read(user, 'held')).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 0 },
      status: { phase: 'Failed' },
    });
    await user.patch(pod('held'), { metadata: { finalizers: null } });
    await pass(2);
    expect(await read(user, 'held')).toBeUndefined();
  });

  test.each([-86_400_000, -3_600_000, 3_600_000, 86_400_000])(
    'continue when the wall clock jumps by %d ms, and nodes stay ready',
    async (jump) => {
      const { user, pass, clock, faults } = await started();
      const behaving = (name: string, behaviour: Record<string, string>, spec: JsonObject = {}) =>
        user.create(PODS, bound(name, spec, { annotations: behaviours(behaviour) }));
      await behaving('runs', {});
      await behaving('ends', { 'exit-after': '60s' }, { restartPolicy: 'Never' });
      await behaving('waits', { 'start-delay': '60s' });
      await behaving('readies', { 'ready-delay': '60s' });
      await behaving('crashes', { 'exit-after': '5s', 'exit-code': '1', 'fail-times': '3' });
      await behaving('stops', { 'stop-duration': '20s' });
      await pass(10);
      await user.delete(pod('stops'));
      await pass(1);
      clock.jump(jump);
      await pass(120);
      const node = await user.get(NODE);
      expect(items(at(node, 'spec'), 'taints')).toEqual([]);
      expect(items(at(node, 'status'), 'conditions').at(-1)).toMatchObject({ type: 'Ready', status: 'True' });
      const renewed = Date.parse(text(at(await user.get(LEASE), 'spec'), 'renewTime'));
      expect(Math.abs(clock.now() - renewed)).toBeLessThanOrEqual(10_000);
      const phases = Object.fromEntries(
        (await user.list(PODS, { namespace: 'default' })).map((one) => [nameOf(one), text(at(one, 'status'), 'phase')]),
      );
      const [Running, Succeeded] = ['Running', 'Succeeded'];
      expect(phases).toEqual({ runs: Running, ends: Succeeded, waits: Running, readies: Running, crashes: Running });
      for (const name of ['readies', 'crashes', 'waits'])
        expect(JSON.stringify(await read(user, name))).toContain(
          '"type":"Ready","observedGeneration":1,"status":"True"',
        );
      expect(faults).toEqual([]);
    },
  );

  test('report an annotation that cannot be read', async () => {
    const { user, pass } = await started();
    await user.create(PODS, bound('p', {}, { annotations: { 'simulated.davit.dev/ready-delay': 'soon' } }));
    await pass(2);
    const events = await user.list(core('events'), { namespace: 'default' });
    expect(events.filter(isObject).map((one) => text(one, 'message'))).toContain(
      'simulated.davit.dev/ready-delay: "soon" cannot be read',
    );
  });

  test('resume when the server restarts', async () => {
    const first = await started();
    const annotations = { 'simulated.davit.dev/ready-delay': '60s' };
    await first.user.create(PODS, bound('p', {}, { annotations }));
    await first.user.create(PODS, bound('taken'));
    await first.pass(30);
    const held = text(at(await read(first.user, 'taken'), 'status'), 'podIP');
    await first.close();
    const { user, pass } = await started(first.clock, first.store);
    await user.create(PODS, bound('new'));
    await pass(20);
    expect(items(at(await read(user, 'p'), 'status'), 'containerStatuses')).toMatchObject([
      { ready: false, restartCount: 0 },
    ]);
    expect(text(at(await read(user, 'new'), 'status'), 'podIP')).not.toBe(held);
    await pass(20);
    expect(items(at(await read(user, 'p'), 'status'), 'containerStatuses')).toMatchObject([
      { ready: true, restartCount: 0 },
    ]);
  });
});

describe('claims on simulated nodes', () => {
  const [CLAIMS, VOLUMES] = [core('persistentvolumeclaims'), core('persistentvolumes')];
  const CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
  const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
  const stateOf = async (user: Client, name: string): Promise<string> =>
    text(at(await user.get(refOf(CLAIMS, 'default', name)), 'status'), 'phase');

  test('receive volumes, which are deleted with them', async () => {
    const { user, pass, faults } = await started();
    await user.create(CLAIMS, claim('data'));
    await user.create(CLAIMS, claim('other', { storageClassName: 'other' }));
    await pass(3);
    expect([await stateOf(user, 'data'), await stateOf(user, 'other')]).toEqual(['Bound', 'Pending']);
    const [volume = {}, ...more] = await user.list(VOLUMES);
    expect(more).toEqual([]);
    expect(volume).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/provisioned-by': 'simulated.davit.dev' } },
      spec: { capacity: { storage: '1Gi' }, storageClassName: 'simulated', csi: { driver: 'simulated.davit.dev' } },
    });
    await user.delete(refOf(CLAIMS, 'default', 'data'));
    await pass(5);
    expect(await user.list(VOLUMES)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('keep an existing default class', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock, retention: RETENTION });
    const before = inStep(store, clock);
    const admin = apiClient({ handle: before.server.handle, token: before.server.loopbackToken, userAgent: 'user' });
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await admin.create(CLASSES, { metadata: { name: 'mine', annotations }, provisioner: 'example.com/mine' });
    await before.server.close();
    const { user, pass } = await started(clock, store);
    await user.create(CLAIMS, claim('data'));
    await pass(3);
    expect(at(await user.get(refOf(CLAIMS, 'default', 'data')), 'spec')).toMatchObject({ storageClassName: 'mine' });
    expect(await stateOf(user, 'data')).toBe('Pending');
  });
});

test('does not touch pods of other nodes', async () => {
  const { user, pass, invoked } = await started();
  await user.create(NODES, { metadata: { name: 'real' } });
  await user.create(PODS, bound('p', { nodeName: 'real' }));
  await pass(20);
  expect(await phaseOf(user, 'p')).toBe('Pending');
  expect(invoked).not.toContain('simulated-kubelet');
  expect((await user.list(PODS)).map(nameOf)).toEqual(['p']);
});

test.each([
  [{ simulatedNodes: 1.5 }, /1\.5 is not a number/],
  [{ simulatedNodes: 5000 }, /5000 is not a number from 0 to 1024/],
  [{ simulatedNodes: 1, controllers: false as const }, /need controllers/],
])('rejects the options %j', async (options, message) => {
  await expect(startApiserver(options)).rejects.toThrow(message);
});
