import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';

/** The three probes of a container. */
export type ProbeKind = 'liveness' | 'readiness' | 'startup';

/** A new result of a container's probe. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

/** A container whose probes came to another result. */
export interface ProbeUpdate {
  /** As the container's status has it, with the runtime's scheme. */
  readonly containerID: string;
  readonly result: ProbeResult;
  readonly podUID: string;
  readonly kind: ProbeKind;
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
  /** The latest result by the container's ID, with the runtime's scheme or without; undefined before the first. */
  result(kind: ProbeKind, containerID: string): ProbeResult | undefined;
}
