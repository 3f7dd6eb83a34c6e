import type { Pod } from '#lib/api/types/core.v1.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { sameMetadata } from '#lib/machinery/meta.ts';

/**
 * Whether a change of a pod is relevant to its node: its spec, its metadata such as deletionTimestamp, or a condition of one of its
 * readiness gates. The node itself writes the other conditions and the rest of the status.
 */
export const concernsNode = (pod: Pod, before: Pod): boolean =>
  !equal(pod.spec, before.spec) || !sameMetadata(pod, before) || !equal(gatesOf(pod), gatesOf(before));

/** Returns the statuses of the conditions of readiness gates. */
const gatesOf = ({ spec, status: { conditions = [] } }: Pod): (string | null)[] =>
  (spec.readinessGates ?? []).map(({ conditionType }) => findCondition(conditions, conditionType)?.status ?? null);
