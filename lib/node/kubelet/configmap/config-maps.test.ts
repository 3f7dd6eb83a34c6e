import { expect, test } from 'vitest';
import type { ConfigMap } from '#lib/api/types/core.v1.ts';
import { aPod } from '#lib/node/volume/testing/memory-host.ts';
import { StepClock } from '../testing/step-clock.ts';
import { ReferencedObjects } from '../util/manager/referenced-objects.ts';
import { configMapOf } from './config-maps.ts';

test('reports a missing configmap in the singular', async () => {
  const all = new ReferencedObjects<ConfigMap>({
    clock: new StepClock(),
    ttl: () => undefined,
    names: () => ['none'],
    get: async () => undefined,
  });
  all.registerPod(aPod({ uid: 'u' }));
  await expect(configMapOf(all, 'ns', 'none')).rejects.toThrow('configmap "none" not found');
});
