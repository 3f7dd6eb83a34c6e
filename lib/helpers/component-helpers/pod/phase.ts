import type { Pod } from '#lib/api/types/core.v1.ts';
import { isDeleting } from '#lib/machinery/meta.ts';

/** The phase of a pod, empty if it has none. */
export const phaseOf = ({ status }: Pick<Pod, 'status'>): string => status.phase ?? '';

/** Whether a pod in this phase never runs again (upstream: IsPodPhaseTerminal). */
export const isPodPhaseTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** Whether a pod has ended (upstream: IsPodTerminal). */
export const isPodTerminal = (pod: Pick<Pod, 'status'>): boolean => isPodPhaseTerminal(pod.status.phase);

/** Whether a pod is neither terminal nor being deleted, so that controllers count it (upstream: IsPodActive). */
export const isPodActive = (pod: Pod): boolean => !isPodTerminal(pod) && !isDeleting(pod);

/** Whether a pod is being deleted but not yet terminal (upstream: IsPodTerminating). */
export const isPodTerminating = (pod: Pod): boolean => !isPodTerminal(pod) && isDeleting(pod);
