import type { Node } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { sameMetadata } from '#lib/machinery/meta.ts';

/**
 * Whether a change of a Node concerns its own agent: the spec, the metadata, volumes that were attached, or conditions that others have set to
 * Unknown because they did not hear of the node. The rest of the status the agent has written.
 */
export const concernsItself = (node: Node, before: Node): boolean =>
  !equal(node.spec, before.spec) ||
  !sameMetadata(node, before) ||
  !equal(node.status.volumesAttached ?? [], before.status.volumesAttached ?? []) ||
  !equal(unknownOf(node), unknownOf(before));

const unknownOf = ({ status: { conditions = [] } }: Node): string[] =>
  conditions.filter(({ status }) => status === 'Unknown').map(({ type }) => type);
