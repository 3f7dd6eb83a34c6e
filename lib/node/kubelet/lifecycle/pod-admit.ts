import type { Pod } from '#lib/api/types/core.v1.ts';

/** The admission result of a pod. `reason` becomes the pod's `status.reason` if it is rejected. */
export type PodAdmitResult =
  | { readonly admit: true }
  | { readonly admit: false; readonly reason: string; readonly message: string };

/** The operation to check: a new pod on the node, or a resize of a running one. */
export type AdmitOperation = 'add' | 'resize';

/** A check of a pod before it runs, or before its resources change (upstream: lifecycle.PodAdmitHandler). */
export interface PodAdmitHandler {
  /** `others` are the admitted pods that have not terminated, with their allocated resources. Without an operation, the pod is new. */
  admit(pod: Pod, others: readonly Pod[], operation?: AdmitOperation): Promise<PodAdmitResult>;
}
