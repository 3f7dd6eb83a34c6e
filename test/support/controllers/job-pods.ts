import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { annotationsOf, isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { eachPod } from './each-pod.ts';
import type { World } from './world.ts';

/** The pod's next status; undefined if it stays unchanged. */
export type PodRule = (pod: JsonObject) => JsonObject | undefined;

/** The pod's index as a number; -1 if it has none. */
export const indexIn = (pod: JsonObject): number =>
  Number(annotationsOf(pod)['batch.kubernetes.io/job-completion-index'] ?? -1);

/** A pod whose only container exited with this code. */
export const exited = (world: World, exitCode: number): JsonObject => ({
  phase: exitCode === 0 ? 'Succeeded' : 'Failed',
  containerStatuses: [
    {
      name: 'c',
      image: 'i',
      imageID: 'i',
      ready: false,
      restartCount: 0,
      state: { terminated: { exitCode, finishedAt: new Date(world.clock.now()).toISOString().replace(/\.\d+/, '') } },
    },
  ],
});

export const running = (isReady = true): JsonObject => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
});

/** Simulates nodes that end pods by a rule. A pod that is deleted while it runs fails. */
export function jobPods(world: World, rule: PodRule): Reconciler {
  const client = world.newClient('kubelet');
  const hasEnded = (pod: JsonObject): boolean =>
    ['Succeeded', 'Failed'].includes(String(objectAt(pod, 'status')?.['phase']));
  return eachPod('job-pods', client, async (pod, ref) => {
    if (isDeleting(pod)) {
      if (!hasEnded(pod)) await client.patch(ref, { status: exited(world, 137) }, 'status');
      await client.delete(ref, { uid: uidOf(pod), gracePeriodSeconds: 0 });
      return undefined;
    }
    const status = hasEnded(pod) ? undefined : rule(pod);
    if (status === undefined || objectAt(pod, 'status')?.['phase'] === status['phase']) return undefined;
    await client.patch(ref, { status }, 'status');
    return undefined;
  });
}
