import { expect, test } from 'vitest';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { newNode } from '#lib/simulation/node.ts';
import { simulatedPods } from '#lib/simulation/pod-reconciler.ts';
import { surviveEveryCrash } from '#test/support/controllers/crashes.ts';
import { aNamespace, podsHere } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import type { Reconcilers, World } from '#test/support/controllers/world.ts';

const PODS = core('pods');
const JOB = { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true };

const make: Reconcilers = (client, clock) => [
  simulatedPods({ names: ['simulated-0'], clock, hasOwnRanges: true, clientOf: () => client, provisioner: client }),
];

const aPod = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'here', ...metadata },
  spec: { nodeName: 'simulated-0', containers: [{ name: 'c', image: 'i' }], ...spec },
});

/** Pods that run, wait, succeed, fail once, are deleted, and stay because of a finalizer. */
async function prepare(world: World): Promise<void> {
  const said = (name: string, value: string) => ({ annotations: { [`simulated.davit.dev/${name}`]: value } });
  const never = { restartPolicy: 'Never' };
  await aNamespace(world);
  await world.user.create(core('nodes'), newNode(0, { hasOwnRange: true, now: world.clock.now() }));
  await world.user.create(PODS, aPod('runs'));
  await world.user.create(PODS, aPod('waits', {}, said('start-delay', '15s')));
  await world.user.create(PODS, aPod('succeeds', never, { ownerReferences: [JOB] }));
  await world.user.create(PODS, aPod('fails', never, said('exit-code', '3')));
  await world.user.create(PODS, aPod('goes'));
  await world.user.create(PODS, aPod('is-held', {}, { finalizers: ['example.com/held'] }));
  for (const name of ['goes', 'is-held']) await world.user.delete(refOf(PODS, 'here', name));
}

async function check(world: World): Promise<void> {
  const pods = await podsHere(world);
  const phases = pods.map((pod) => [nameOf(pod), text(objectAt(pod, 'status'), 'phase')]);
  expect(Object.fromEntries(phases)).toEqual({
    runs: 'Running',
    waits: 'Running',
    succeeds: 'Succeeded',
    fails: 'Failed',
    'is-held': 'Failed',
  });
  const running = pods.filter((pod) => text(objectAt(pod, 'status'), 'phase') === 'Running');
  expect(new Set(running.map((pod) => text(at(pod, 'status'), 'podIP'))).size).toBe(2);
  const counts = running.flatMap((pod) =>
    items(at(pod, 'status'), 'containerStatuses').map((one) => one['restartCount']),
  );
  expect(counts).toEqual([0, 0]);
}

test('simulated pods survive a crash at every call', async () => {
  expect(await surviveEveryCrash({ make, prepare, check })).toBeGreaterThan(7);
});
