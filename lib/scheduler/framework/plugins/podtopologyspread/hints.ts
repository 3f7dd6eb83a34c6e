import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { labelsOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { ObjectChange } from '../../events.ts';
import { isPlaced } from '../../places.ts';
import { type Constraint, hasAllKeys } from './constraints.ts';

/** Whether a change of another pod, or of the pod itself, may satisfy its constraints. */
export function podChangeHelps(
  pod: Pod,
  { before, after }: ObjectChange<Pod>,
  constraints: readonly Constraint[],
): boolean {
  if ([before, after].some((one) => one !== undefined && !isInvolved(one, pod))) return false;
  const isAbout = (one: Pod): boolean => constraints.some(({ selector }) => matches(selector, labelsOf(one)));
  if (before === undefined || after === undefined) return [before, after].some((one) => one && isAbout(one));
  const isTolerant = constraints.some(({ honorsTaints }) => honorsTaints);
  if (isTolerant && uidOf(pod) === uidOf(after) && !equal(before.spec.tolerations ?? [], after.spec.tolerations ?? []))
    return true;
  return constraints.some(({ selector }) => matches(selector, labelsOf(before)) !== matches(selector, labelsOf(after)));
}

/** Whether a changed pod is the pod itself, or a pod in its namespace with a node or a nomination. */
function isInvolved(other: Pod, pod: Pod): boolean {
  return uidOf(other) === uidOf(pod) || (isPlaced(other) && namespaceOf(other) === namespaceOf(pod));
}

/** Whether an added, deleted or changed node may satisfy the pod's constraints. */
export function nodeChangeHelps({ before, after }: ObjectChange<Node>, constraints: readonly Constraint[]): boolean {
  const had = before !== undefined && hasAllKeys(labelsOf(before), constraints);
  const has = after !== undefined && hasAllKeys(labelsOf(after), constraints);
  if (before === undefined || after === undefined || had !== has) return had || has;
  return has && (hasMoved(before, after, constraints) || !equal(before.spec.taints ?? [], after.spec.taints ?? []));
}

function hasMoved(before: Node, after: Node, constraints: readonly Constraint[]): boolean {
  const [old, now] = [labelsOf(before), labelsOf(after)];
  return constraints.some(({ topologyKey }) => old[topologyKey] !== now[topologyKey]);
}
