import { expect, test } from 'vitest';
import { ttlAfterFinished } from '#lib/controllers/ttl-after-finished/reconcile.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { refOf } from '#test/support/controllers/refs.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const make: Reconcilers = (client, clock) => [ttlAfterFinished(client, clock)];
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs' };

async function aJob(world: World, name: string, spec: JsonObject, isFinished: boolean): Promise<void> {
  await world.user.create(JOBS, {
    metadata: { name, namespace: 'default' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } }, ...spec },
  });
  if (!isFinished) return;
  const time = new Date(world.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  const met = (type: string) => ({ type, status: 'True', lastProbeTime: time, lastTransitionTime: time });
  const conditions = [met('SuccessCriteriaMet'), met('Complete')];
  const status = { startTime: time, completionTime: time, conditions };
  await world.user.patch(refOf(JOBS, 'default', name), { status }, 'status');
}

test('deletes finished jobs after their TTL, no matter when the controller is killed', async () => {
  const prepare = async (world: World): Promise<void> => {
    await aNamespace(world, 'default');
    await aJob(world, 'now', { ttlSecondsAfterFinished: 0 }, true);
    await aJob(world, 'soon', { ttlSecondsAfterFinished: 30 }, true);
    await aJob(world, 'late', { ttlSecondsAfterFinished: 3000 }, true);
    await aJob(world, 'unfinished', { ttlSecondsAfterFinished: 0 }, false);
    await aJob(world, 'unlimited', {}, true);
  };
  const check = async (world: World): Promise<void> => {
    const kept = (await world.user.list(JOBS)).filter((job) => !isDeleting(job)).map(nameOf);
    expect(kept.sort()).toEqual(['late', 'unfinished', 'unlimited']);
    expect(world.faults).toEqual([]);
  };
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(2);
});
