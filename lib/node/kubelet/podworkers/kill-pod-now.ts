import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { within } from '#lib/machinery/wait/within.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import type { KillPodOptions } from './pod-syncer.ts';
import type { PodWorkers } from './pod-workers.ts';

/** Minimum time-out of a kill in milliseconds. */
const AT_LEAST = 10_000;

/** The ports of a kill. */
export interface KillPodPorts {
  readonly podWorkers: Pick<PodWorkers, 'updatePod'>;
  readonly recorder: NodeEventRecorder;
  readonly clock: Clock;
}

/**
 * Kills a pod and waits until its containers have stopped, for 1.5 times its grace period and at least ten seconds. Rejects after that,
 * with an event (upstream: killPodNow, for evictions and preemption).
 */
export async function killPodNow(
  { podWorkers, recorder, clock }: KillPodPorts,
  pod: Pod,
  kill: Omit<KillPodOptions, 'completed'>,
): Promise<void> {
  const seconds = kill.gracePeriod ?? Number(pod.spec.terminationGracePeriodSeconds ?? 0);
  const killed = (): Promise<void> =>
    new Promise((completed) => podWorkers.updatePod({ updateType: 'kill', pod, kill: { ...kill, completed } }));
  const error = (): Error => {
    const message = 'Container runtime did not kill the pod within specified grace period.';
    recorder.event(pod, 'Warning', 'ExceededGracePeriod', message);
    return new Error('timeout waiting to kill pod');
  };
  await within(Math.max(AT_LEAST, 1500 * seconds), killed, { clock, error });
}
