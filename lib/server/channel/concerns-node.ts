import type { Node } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { sameMetadata } from '#lib/machinery/meta.ts';

/**
 * Whether a change of a Node is relevant to its own agent: the spec, the metadata, attached volumes, or conditions that a controller has
 * set to Unknown because the node did not report. The agent itself writes the rest of the status.
 */
export const concernsItself = (node: Node, before: Node): boolean =>
  !equal(node.spec, before.spec) ||
  !sameMetadata(node, before) ||
  !equal(node.status.volumesAttached ?? [], before.status.volumesAttached ?? []) ||
  !equal(unknownOf(node), unknownOf(before));

const unknownOf = ({ status: { conditions = [] } }: Node): string[] =>
  conditions.filter(({ status }) => status === 'Unknown').map(({ type }) => type);
