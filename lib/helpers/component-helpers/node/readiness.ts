import type { Node, NodeCondition } from '#lib/api/types/core.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';

/** The Ready condition of a node. Undefined if it has none. */
export const nodeReadyCondition = ({ status }: Node): NodeCondition | undefined =>
  findCondition(status.conditions, 'Ready');

/** Whether a node is ready (upstream: IsNodeReady). */
export const isNodeReady = (node: Node): boolean => nodeReadyCondition(node)?.status === 'True';
