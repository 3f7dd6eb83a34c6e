import type { Pod } from '#lib/api/types/core.v1.ts';

/** The name of the node that a pod is on. Empty if it is not scheduled yet. */
export const nodeNameOf = ({ spec }: Pick<Pod, 'spec'>): string => spec.nodeName ?? '';
