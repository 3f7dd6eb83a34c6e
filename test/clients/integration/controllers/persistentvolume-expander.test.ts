import { expect, test } from 'vitest';
import { persistentVolumeExpander } from '#lib/controllers/persistentvolume-expander/reconcile.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { core, NAMESPACES, refOf } from '#test/support/controllers/refs.ts';
import type { Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [persistentVolumeExpander(client, clock)];

/** A bound claim that requests this size and has a gibibyte. */
async function aClaim(world: World, name: string, storage: string, phase = 'Bound'): Promise<void> {
  await world.user.create(core('persistentvolumeclaims'), {
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, volumeName: 'v' },
  });
  const status = { phase, capacity: { storage: '1Gi' } };
  await world.user.patch(refOf(core('persistentvolumeclaims'), 'default', name), { status }, 'status');
}

test('reports only once that an external driver expands the claim, no matter when the controller is killed', async () => {
  await surviveEveryCrash({
    make,
    async prepare(world) {
      await world.user.create(NAMESPACES, { metadata: { name: 'default' } });
      await aClaim(world, 'same', '1024Mi');
      await aClaim(world, 'more', '2Gi');
      await aClaim(world, 'unbound', '2Gi', 'Pending');
    },
    async check(world) {
      expect(await world.user.list(core('events'))).toMatchObject([
        {
          involvedObject: { kind: 'PersistentVolumeClaim', name: 'more' },
          reason: 'ExternalExpanding',
          message: 'waiting for an external controller to expand this PVC',
          count: 1,
        },
      ]);
    },
  });
});
