import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf } from '#lib/machinery/meta.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { Action, IncomingEvent } from './events.ts';

type Changed<T> = (before: T, after: T) => boolean;
type Table<T> = readonly (readonly [Action, Changed<T>])[];

const POD: Table<Pod> = [
  ['UpdatePodLabel', (before, after) => !equal(labelsOf(before), labelsOf(after))],
  ['UpdatePodScaleDown', isScaledDown],
  ['UpdatePodSchedulingGatesEliminated', (before, after) => !isGated(after) && isGated(before)],
  ['UpdatePodToleration', (before, after) => tolerationCount(before) !== tolerationCount(after)],
  ['UpdatePodGeneratedResourceClaim', hasOtherClaims],
];

const NODE: Table<Node> = [
  ['UpdateNodeTaint', (before, after) => before.spec.unschedulable === true && after.spec.unschedulable !== true],
  ['UpdateNodeAllocatable', (before, after) => !equal(before.status.allocatable ?? {}, after.status.allocatable ?? {})],
  ['UpdateNodeLabel', (before, after) => !equal(labelsOf(before), labelsOf(after))],
  ['UpdateNodeTaint', (before, after) => !equal(before.spec.taints ?? [], after.spec.taints ?? [])],
  ['UpdateNodeCondition', (before, after) => !equal(conditionsOf(before), conditionsOf(after))],
  ['UpdateNodeAnnotation', (before, after) => !equal(annotationsOf(before), annotationsOf(after))],
  [
    'UpdateNodeDeclaredFeature',
    (before, after) => !equal(before.status.declaredFeatures ?? [], after.status.declaredFeatures ?? []),
  ],
];

/** The events of a pod's change, including at least a general update: upstream's PodSchedulingPropertiesChange. */
export function podChanges(before: Pod, after: Pod): IncomingEvent[] {
  const actions = actionsOf(POD, before, after);
  return (actions.length === 0 ? (['Update'] as const) : actions).map((action) => ({ resource: 'Pod', action }));
}

/** The events of a node's change; none if no plugin depends on it. Upstream's NodeSchedulingPropertiesChange. */
export const nodeChanges = (before: Node, after: Node): IncomingEvent[] =>
  actionsOf(NODE, before, after).map((action) => ({ resource: 'Node', action }));

const actionsOf = <T>(table: Table<T>, before: T, after: T): readonly Action[] =>
  table.flatMap(([action, isChanged]) => (isChanged(before, after) ? [action] : []));

const isGated = ({ spec: { schedulingGates = [] } }: Pod): boolean => schedulingGates.length > 0;
const tolerationCount = ({ spec: { tolerations = [] } }: Pod): number => tolerations.length;

function hasOtherClaims({ status: before }: Pod, { status: after }: Pod): boolean {
  return (
    !equal(before.resourceClaimStatuses ?? [], after.resourceClaimStatuses ?? []) ||
    !equal(before.extendedResourceClaimStatus, after.extendedResourceClaimStatus)
  );
}

function isScaledDown(before: Pod, after: Pod): boolean {
  const now = podResources(after, 'requests');
  return [...podResources(before, 'requests')].some(([name, amount]) => {
    const rest = now.get(name);
    return rest === undefined || compareQuantities(amount, rest) > 0;
  });
}

/** The status of each condition, by its type. */
const conditionsOf = ({ status: { conditions = [] } }: Node): Record<string, string> =>
  Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
