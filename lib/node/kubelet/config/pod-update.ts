import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodSource } from '../types/pod-update.ts';

/**
 * A change from a source. `DELETE` requests graceful termination, `REMOVE` means that the source no longer has the pod, and `RECONCILE`
 * means that its status differs.
 */
export interface PodUpdate {
  readonly op: 'ADD' | 'UPDATE' | 'DELETE' | 'REMOVE' | 'RECONCILE';
  readonly source: PodSource;
  readonly pods: readonly Pod[];
}
