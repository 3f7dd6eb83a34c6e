import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodSource } from '../types/pod-update.ts';

/** A change of a source: `DELETE` asks for a graceful end, `REMOVE` says that the source has the pod no more, `RECONCILE` that its status differs. */
export interface PodUpdate {
  readonly op: 'ADD' | 'UPDATE' | 'DELETE' | 'REMOVE' | 'RECONCILE';
  readonly source: PodSource;
  readonly pods: readonly Pod[];
}
