import type { Pod } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { sameMetadata } from '#lib/machinery/meta.ts';

/**
 * Whether a change of a pod concerns the node that it is on: its spec, its metadata such as deletionTimestamp, or a condition that one
 * of its readiness gates waits for. Other conditions, and the rest of the status, are the node's own to write.
 */
export const concernsNode = (pod: Pod, before: Pod): boolean =>
  !equal(pod.spec, before.spec) || !sameMetadata(pod, before) || !equal(gatesOf(pod), gatesOf(before));

/** The statuses of the conditions that readiness gates wait for. */
const gatesOf = ({ spec, status: { conditions = [] } }: Pod): (string | null)[] =>
  (spec.readinessGates ?? []).map(
    ({ conditionType }) => conditions.find(({ type }) => type === conditionType)?.status ?? null,
  );
