import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';

/** The three probes of a container. */
export type ProbeKind = 'liveness' | 'readiness' | 'startup';

/** A new result of a container's probe. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

/** A container whose probe result changed. */
export interface ProbeUpdate {
  /** The ID from the container's status, with the runtime's scheme. */
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
  /** Stops the probes of pods that are not in the set. */
  cleanupPods(desired: ReadonlySet<string>): void;
  /** Sets `started` and `ready` of the containers in the status. */
  updatePodStatus(pod: Pod, status: PodStatus): void;
  /** The latest result by the container's ID, with or without the runtime's scheme. Undefined before the first result. */
  result(kind: ProbeKind, containerID: string): ProbeResult | undefined;
}
