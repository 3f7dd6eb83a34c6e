import { expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { scheduleAll, schedulerClient } from '#functions/scheduler/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { bootstrapOnce } from '#lib/controllers/bootstrap/first-start.ts';
import { persistentVolumeBinder } from '#lib/controllers/persistentvolume/reconcile.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { newUid } from '#lib/machinery/random.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { SCHEDULER_USER } from '#lib/scheduler/user.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { serverInProcess } from '#test/support/server-in-process.ts';

const [PODS, CLAIMS, VOLUMES] = [core('pods'), core('persistentvolumeclaims'), core('persistentvolumes')];
const CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
const devices = (resource: string) => ({ group: 'resource.k8s.io', version: 'v1', resource });
const GPU = 'example.com/gpu';

async function aWorld() {
  const token = newUid();
  const { server, faults } = serverInProcess({ clock: systemClock, tokens: new Map([[token, SCHEDULER_USER]]) });
  const user = apiClient({ handle: server.handle, token: server.loopbackToken, userAgent: 'kubectl' });
  await bootstrapOnce(user, { host: '127.0.0.1', port: 6443 }, 'v1');
  await user.create(core('serviceaccounts'), { metadata: { name: 'default', namespace: 'default' } });
  const capacity = { cpu: '4', memory: '8Gi', pods: '10' };
  for (const name of ['a', 'b'])
    await user.create(core('nodes'), {
      metadata: { name, labels: { host: name } },
      status: { capacity, allocatable: capacity },
    });
  const binder = persistentVolumeBinder(user, systemClock);
  let binding: Promise<unknown> = Promise.resolve();
  const bind = async (): Promise<void> => {
    for (const claim of await user.list(CLAIMS)) await binder.reconcile(`claim/default/${nameOf(claim)}`);
  };
  const clock: Clock = {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic(),
    async sleep(milliseconds, signal) {
      binding = binding.then(bind);
      await binding;
      await systemClock.sleep(milliseconds, signal);
    },
  };
  const told: unknown[] = [];
  const client = schedulerClient({ handle: server.handle, token });
  const ports = { client, clock, random: () => 0, reportFault: (error: unknown) => void told.push(error) };
  return { user, faults, told, schedule: () => scheduleAll(ports, new AbortController().signal) };
}

const aPod = (name: string, spec: JsonObject, container: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'default' },
  spec: { tolerations: [{ operator: 'Exists' }], containers: [{ name: 'main', image: 'web', ...container }], ...spec },
});

test("pods go to the nodes of their volumes, and get them, with only the scheduler's permissions", async () => {
  const { user, schedule, faults, told } = await aWorld();
  await user.create(CLASSES, {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: 'local' };
  const onB = {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'host', operator: 'In', values: ['b'] }] }] },
  };
  const volume = { ...common, capacity: { storage: '1Gi' }, local: { path: '/x' }, nodeAffinity: onB };
  const created = await user.create(VOLUMES, { metadata: { name: 'v' }, spec: volume });
  await user.update(refOf(VOLUMES, '', 'v'), { ...created, status: { phase: 'Available' } }, 'status');
  await user.create(CLAIMS, {
    metadata: { name: 'c', namespace: 'default' },
    spec: { ...common, resources: { requests: { storage: '1Gi' } } },
  });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
  await user.create(PODS, aPod('p', { volumes }));
  expect(await schedule()).toBe(true);
  expect(at(await user.get(refOf(PODS, 'default', 'p')), 'spec')).toMatchObject({ nodeName: 'b' });
  expect(await user.get(refOf(CLAIMS, 'default', 'c'))).toMatchObject({
    spec: { volumeName: 'v' },
    status: { phase: 'Bound' },
  });
  // Listers drop managed fields, but an object that is written back without them keeps them.
  const managed = items(at(await user.get(refOf(VOLUMES, '', 'v')), 'metadata'), 'managedFields');
  expect(managed.map((one) => text(one, 'manager'))).toEqual(expect.arrayContaining(['kubectl', 'kube-scheduler']));
  expect([...told, ...faults]).toEqual([]);
});

test('pods go to the nodes of the devices in their claims and resources, and get them', async () => {
  const { user, schedule, faults, told } = await aWorld();
  await user.create(devices('deviceclasses'), { metadata: { name: 'gpus' }, spec: { extendedResourceName: GPU } });
  const pool = { name: 'b', generation: 1, resourceSliceCount: 1 };
  const slice = { driver: 'dra.example.com', nodeName: 'b', pool, devices: [{ name: 'x' }, { name: 'y' }] };
  await user.create(devices('resourceslices'), { metadata: { name: 's' }, spec: slice });
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpus' } }];
  await user.create(devices('resourceclaims'), {
    metadata: { name: 'c', namespace: 'default' },
    spec: { devices: { requests } },
  });
  await user.create(PODS, aPod('by-claim', { resourceClaims: [{ name: 'c', resourceClaimName: 'c' }] }));
  await user.create(PODS, aPod('by-resource', {}, { resources: { requests: { [GPU]: '1' }, limits: { [GPU]: '1' } } }));
  await user.create(PODS, aPod('too-late', {}, { resources: { requests: { [GPU]: '1' }, limits: { [GPU]: '1' } } }));
  expect(await schedule()).toBe(false);
  const pods = await user.list(PODS);
  const waiting = pods.filter((pod) => text(at(pod, 'spec'), 'nodeName') !== 'b');
  expect([pods.length, waiting.length]).toEqual([3, 1]);
  const claims = await user.list(devices('resourceclaims'));
  const had = claims.flatMap((claim) =>
    items(at(claim, 'status', 'allocation', 'devices'), 'results').map((one) => text(one, 'device')),
  );
  expect(had.sort()).toEqual(['x', 'y']);
  const [condition] = items(at(waiting[0], 'status'), 'conditions');
  expect(text(condition, 'message')).toContain('2 cannot allocate all claims');
  expect([...told, ...faults]).toEqual([]);
});
