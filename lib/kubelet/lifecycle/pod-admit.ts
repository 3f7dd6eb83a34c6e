import type { Pod } from '#lib/api/types/core.v1.ts';

/** The verdict over a pod that wants to run on this node. `reason` becomes the pod's `status.reason` where it is refused. */
export type PodAdmitResult =
  | { readonly admit: true }
  | { readonly admit: false; readonly reason: string; readonly message: string };

/** A check of a pod before it runs (upstream: lifecycle.PodAdmitHandler). */
export interface PodAdmitHandler {
  /** `others` are the pods that are admitted already and have not ended. */
  admit(pod: Pod, others: readonly Pod[]): Promise<PodAdmitResult>;
}
