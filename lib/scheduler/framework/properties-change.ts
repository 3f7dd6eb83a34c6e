import { podResources } from '#lib/component-helpers/resource/pod-resources.ts';
import { equal, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf } from '#lib/machinery/meta.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';
import { compareQuantities } from '#lib/machinery/resource/quantities.ts';
import type { Action, IncomingEvent } from './events.ts';

type Changed = (before: JsonObject, after: JsonObject) => boolean;

const specOf = (object: JsonObject): JsonObject | undefined => objectAt(object, 'spec');
const statusOf = (object: JsonObject): JsonObject | undefined => objectAt(object, 'status');
const orEmpty = (value: Json | undefined): Json => value ?? [];

const POD: readonly (readonly [Action, Changed])[] = [
  ['UpdatePodLabel', (before, after) => !equal(labelsOf(before), labelsOf(after))],
  ['UpdatePodScaleDown', isScaledDown],
  [
    'UpdatePodSchedulingGatesEliminated',
    (before, after) =>
      items(specOf(after), 'schedulingGates').length === 0 && items(specOf(before), 'schedulingGates').length > 0,
  ],
  [
    'UpdatePodToleration',
    (before, after) => items(specOf(before), 'tolerations').length !== items(specOf(after), 'tolerations').length,
  ],
  [
    'UpdatePodGeneratedResourceClaim',
    (before, after) =>
      ['resourceClaimStatuses', 'extendedResourceClaimStatus'].some(
        (field) => !equal(orEmpty(ownField(statusOf(before), field)), orEmpty(ownField(statusOf(after), field))),
      ),
  ],
];

const NODE: readonly (readonly [Action, Changed])[] = [
  [
    'UpdateNodeTaint',
    (before, after) => flag(specOf(before), 'unschedulable') === true && flag(specOf(after), 'unschedulable') !== true,
  ],
  [
    'UpdateNodeAllocatable',
    (before, after) =>
      !equal(objectAt(statusOf(before), 'allocatable') ?? {}, objectAt(statusOf(after), 'allocatable') ?? {}),
  ],
  ['UpdateNodeLabel', (before, after) => !equal(labelsOf(before), labelsOf(after))],
  ['UpdateNodeTaint', (before, after) => !equal(items(specOf(before), 'taints'), items(specOf(after), 'taints'))],
  ['UpdateNodeCondition', (before, after) => !equal(conditionsOf(before), conditionsOf(after))],
  ['UpdateNodeAnnotation', (before, after) => !equal(annotationsOf(before), annotationsOf(after))],
  [
    'UpdateNodeDeclaredFeature',
    (before, after) =>
      !equal(
        orEmpty(ownField(statusOf(before), 'declaredFeatures')),
        orEmpty(ownField(statusOf(after), 'declaredFeatures')),
      ),
  ],
];

/** What the change of a pod says to plugins, at least that it changed: upstream's PodSchedulingPropertiesChange. */
export function podChanges(before: JsonObject, after: JsonObject): IncomingEvent[] {
  const actions = actionsOf(POD, before, after);
  return (actions.length === 0 ? (['Update'] as const) : actions).map((action) => ({ resource: 'Pod', action }));
}

/** The same of a node; nothing where no plugin could care. Upstream's NodeSchedulingPropertiesChange. */
export const nodeChanges = (before: JsonObject, after: JsonObject): IncomingEvent[] =>
  actionsOf(NODE, before, after).map((action) => ({ resource: 'Node', action }));

const actionsOf = (
  table: readonly (readonly [Action, Changed])[],
  before: JsonObject,
  after: JsonObject,
): readonly Action[] => table.flatMap(([action, isChanged]) => (isChanged(before, after) ? [action] : []));

function isScaledDown(before: JsonObject, after: JsonObject): boolean {
  const now = podResources(after, 'requests');
  return [...podResources(before, 'requests')].some(([name, amount]) => {
    const rest = now.get(name);
    return rest === undefined || compareQuantities(amount, rest) > 0;
  });
}

const conditionsOf = (node: JsonObject): JsonObject =>
  Object.fromEntries(
    items(statusOf(node), 'conditions').map((condition) => [text(condition, 'type'), text(condition, 'status')]),
  );
