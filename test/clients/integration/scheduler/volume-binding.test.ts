import { expect, test } from 'vitest';
import { typedObject } from '#lib/api/typed.ts';
import { PODS as TYPED_PODS } from '#lib/api/types/resources.ts';
import { persistentVolumeBinder } from '#lib/controllers/persistentvolume/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { CycleState } from '#lib/scheduler/framework/cycle-state.ts';
import { volumeBinding } from '#lib/scheduler/framework/plugins/volumebinding/volume-binding.ts';
import { podInfoOf } from '#lib/scheduler/framework/pod-info-of.ts';
import { aHandle, aNode, aSnapshot } from '#lib/scheduler/testing/wrappers.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const [CLAIMS, VOLUMES, PODS] = [core('persistentvolumeclaims'), core('persistentvolumes'), core('pods')];
const CLASSES = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
const modes = { accessModes: ['ReadWriteOnce'], storageClassName: 'local' };

const claimsAndVolumes: Reconcilers = (client, clock) => [persistentVolumeBinder(client, clock)];

async function prepare(world: World): Promise<JsonObject> {
  await aNamespace(world);
  await world.user.create(CLASSES, {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  for (const host of ['a', 'b'])
    await world.user.create(VOLUMES, {
      metadata: { name: `on-${host}` },
      spec: {
        ...modes,
        capacity: { storage: '1Gi' },
        local: { path: '/x' },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'host', operator: 'In', values: [host] }] }] },
        },
      },
    });
  await world.user.create(CLAIMS, {
    metadata: { name: 'c', namespace: 'here' },
    spec: { ...modes, resources: { requests: { storage: '1Gi' } } },
  });
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
  const pod = {
    metadata: { name: 'p', namespace: 'here' },
    spec: { containers: [{ name: 'c', image: 'i' }], volumes },
  };
  return world.user.create(PODS, pod);
}

test('a claim that waits for its pod gets the volume of the pod’s node, by the scheduler and the binder together', async () => {
  const world = new World();
  const pod = await prepare(world);
  await world.run(claimsAndVolumes);
  const objects = {
    persistentvolumeclaims: await world.user.list(CLAIMS),
    persistentvolumes: await world.user.list(VOLUMES),
    storageclasses: await world.user.list(CLASSES),
  };
  const clock = {
    now: () => world.clock.now(),
    monotonic: () => world.clock.monotonic(),
    async sleep(milliseconds: number): Promise<void> {
      await world.run(claimsAndVolumes);
      world.clock.advance(milliseconds);
    },
  };
  const snapshot = aSnapshot(['a', 'b'].map((name) => aNode({ name, labels: { host: name } })));
  const plugin = volumeBinding({ bindTimeoutSeconds: 10 }, aHandle({ objects, client: world.user, clock, snapshot }));
  const [state, info] = [new CycleState(), podInfoOf(typedObject(TYPED_PODS, pod))];
  expect(plugin.preFilter?.(state, info, snapshot.nodes)).toEqual({});
  for (const node of snapshot.nodes) expect(plugin.filter?.(state, info, node)).toBeUndefined();
  expect(plugin.reserve?.(state, info, 'b')).toBeUndefined();
  expect(await plugin.preBind?.(state, info, 'b')).toBeUndefined();
  const claim = await world.user.get(refOf(CLAIMS, 'here', 'c'));
  expect(claim).toMatchObject({ spec: { volumeName: 'on-b' }, status: { phase: 'Bound' } });
  expect(await world.user.get(refOf(VOLUMES, '', 'on-a'))).toMatchObject({ status: { phase: 'Available' } });
  expect(world.faults).toEqual([]);
  await world.close();
});
