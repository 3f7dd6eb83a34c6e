import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';

/** A container that failed its liveness or startup probe, or came to another result. */
export interface ProbeUpdate {
  readonly containerID: string;
  readonly result: 'success' | 'failure' | 'unknown';
  readonly podUID: string;
  readonly kind: 'liveness' | 'readiness' | 'startup';
}

/** Probes containers (upstream: prober.Manager). */
export interface ProbeManager {
  addPod(pod: Pod): void;
  stopLivenessAndStartup(pod: Pod): void;
  removePod(pod: Pod): void;
  /** Ends the probes of pods that are not in the set. */
  cleanupPods(desired: ReadonlySet<string>): void;
  /** Sets `started` and `ready` of the containers in the status. */
  updatePodStatus(pod: Pod, status: PodStatus): void;
  /** The latest result of a container's liveness or startup probe, by the container's ID; undefined before the first. */
  result(kind: 'liveness' | 'startup', containerID: string): 'success' | 'failure' | 'unknown' | undefined;
}
