import { expect, test } from 'vitest';
import type { Secret } from '#lib/api/types/core.v1.ts';
import { aPod } from '#lib/node/volume/testing/memory-host.ts';
import { StepClock } from '../testing/step-clock.ts';
import { ReferencedObjects } from '../util/manager/referenced-objects.ts';
import { secretOf } from './secrets.ts';

test('reports a missing secret in the singular', async () => {
  const all = new ReferencedObjects<Secret>({
    clock: new StepClock(),
    ttl: () => undefined,
    names: () => ['none'],
    get: async () => undefined,
  });
  all.registerPod(aPod({ uid: 'u' }));
  await expect(secretOf(all, 'ns', 'none')).rejects.toThrow('secret "none" not found');
});
