import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { labelsOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { taintsOf, tolerationsOf } from '#lib/component-helpers/scheduling/corev1/taints.ts';
import { hasAllKeys, type Constraint } from './constraints.ts';

export interface Change {
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** Whether another pod's change, or the pod's own, may let it meet its constraints. */
export function podChangeHelps(
  pod: JsonObject,
  { before, after }: Change,
  constraints: readonly Constraint[],
): boolean {
  if ([before, after].some((one) => one !== undefined && !isInvolved(one, pod))) return false;
  const isAbout = (one: JsonObject): boolean => constraints.some(({ selector }) => matches(selector, labelsOf(one)));
  if (before === undefined || after === undefined) return [before, after].some((one) => one && isAbout(one));
  const isTolerant = constraints.some(({ honorsTaints }) => honorsTaints);
  if (isTolerant && uidOf(pod) === uidOf(after) && !equal([...tolerationsOf(before)], [...tolerationsOf(after)]))
    return true;
  return constraints.some(({ selector }) => matches(selector, labelsOf(before)) !== matches(selector, labelsOf(after)));
}

/** Itself, or one in its namespace that has a node or is to have one. */
function isInvolved(other: JsonObject, pod: JsonObject): boolean {
  if (uidOf(other) === uidOf(pod)) return true;
  const node = text(objectAt(other, 'spec'), 'nodeName') || text(objectAt(other, 'status'), 'nominatedNodeName');
  return node !== '' && namespaceOf(other) === namespaceOf(pod);
}

/** Whether a node that came, went or changed may let the pod meet its constraints. */
export function nodeChangeHelps({ before, after }: Change, constraints: readonly Constraint[]): boolean {
  const had = before !== undefined && hasAllKeys(labelsOf(before), constraints);
  const has = after !== undefined && hasAllKeys(labelsOf(after), constraints);
  if (before === undefined || after === undefined || had !== has) return had || has;
  return has && (hasMoved(before, after, constraints) || !equal([...taintsOf(before)], [...taintsOf(after)]));
}

function hasMoved(before: JsonObject, after: JsonObject, constraints: readonly Constraint[]): boolean {
  const [old, now] = [labelsOf(before), labelsOf(after)];
  return constraints.some(({ topologyKey }) => old[topologyKey] !== now[topologyKey]);
}
