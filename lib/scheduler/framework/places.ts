import type { Pod } from '#lib/api/types/core.v1.ts';

/** The node that a pod is on; empty if it has none. */
export const nodeNameOf = ({ spec }: Pod): string => spec.nodeName ?? '';

/** The node that a pod is nominated for; empty if none. */
export const nominatedNodeNameOf = ({ status }: Pod): string => status.nominatedNodeName ?? '';

/** Whether a pod is on a node or nominated for one. */
export const isPlaced = (pod: Pod): boolean => nodeNameOf(pod) !== '' || nominatedNodeNameOf(pod) !== '';
