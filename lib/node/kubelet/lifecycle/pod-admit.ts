import type { Pod } from '#lib/api/types/core.v1.ts';

/** The verdict over a pod that wants to run on this node. `reason` becomes the pod's `status.reason` where it is refused. */
export type PodAdmitResult =
  | { readonly admit: true }
  | { readonly admit: false; readonly reason: string; readonly message: string };

/** The reason for a check: the pod is new on the node, or it asks for other resources while it runs. */
export type AdmitOperation = 'add' | 'resize';

/** A check of a pod before it runs, or before its resources change (upstream: lifecycle.PodAdmitHandler). */
export interface PodAdmitHandler {
  /** `others` are the pods that are admitted already and have not ended, with the resources that they were allocated; without an operation the pod is new. */
  admit(pod: Pod, others: readonly Pod[], operation?: AdmitOperation): Promise<PodAdmitResult>;
}
