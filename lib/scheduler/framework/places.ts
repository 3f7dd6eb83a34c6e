import type { Pod } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';

/** The node that a pod is nominated for; empty if none. */
export const nominatedNodeNameOf = ({ status }: Pod): string => status.nominatedNodeName ?? '';

/** Whether a pod is on a node or nominated for one. */
export const isPlaced = (pod: Pod): boolean => nodeNameOf(pod) !== '' || nominatedNodeNameOf(pod) !== '';
