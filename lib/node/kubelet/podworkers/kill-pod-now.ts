import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
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
  const waiting = new AbortController();
  const killed = new Promise<boolean>((resolve) => {
    podWorkers.updatePod({ updateType: 'kill', pod, kill: { ...kill, completed: () => resolve(true) } });
  });
  const late = clock.sleep(Math.max(AT_LEAST, 1500 * seconds), waiting.signal).then(() => false);
  const isKilled = await Promise.race([killed, late]);
  waiting.abort();
  if (isKilled) return;
  const message = 'Container runtime did not kill the pod within specified grace period.';
  recorder.event(pod, 'Warning', 'ExceededGracePeriod', message);
  throw new Error('timeout waiting to kill pod');
}
