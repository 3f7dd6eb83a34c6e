import type { Node } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';

const ZONE = 'topology.kubernetes.io/zone';
/** The cluster autoscaler puts it on nodes that it is about to remove. */
const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler';

/** The zone of a node; '' where it has none. */
export const zoneOf = ({ metadata }: Node): string => ownField(metadata.labels, ZONE) ?? '';

/** The networks of a node's pods. */
export const podCIDRsOf = ({ spec }: Node): readonly string[] =>
  spec?.podCIDRs ?? (spec?.podCIDR === undefined ? [] : [spec.podCIDR]);

/** Whether a node may get packets from outside: not while it is about to go (upstream: NodeEligible). */
export const isEligible = ({ metadata, spec }: Node): boolean =>
  metadata.deletionTimestamp === undefined && !(spec?.taints ?? []).some(({ key }) => key === TO_BE_DELETED);
