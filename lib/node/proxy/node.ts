import type { Node } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';

const ZONE = 'topology.kubernetes.io/zone';
/** The taint that the cluster autoscaler puts on nodes that it is about to remove. */
const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler';

/** The zone of a node. '' if it has none. */
export const zoneOf = ({ metadata }: Node): string => ownField(metadata.labels, ZONE) ?? '';

/** Whether a node may receive external traffic. False while it is about to be removed (upstream: NodeEligible). */
export const isEligible = (node: Node): boolean =>
  !isDeleting(node) && !(node.spec?.taints ?? []).some(({ key }) => key === TO_BE_DELETED);
