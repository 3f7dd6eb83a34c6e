import { hasNoField, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isEverything, matches, NOTHING, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import { count, has } from '#lib/machinery/unstructured.ts';
import { parseLabelSelector } from '#lib/registry/kinds/shared/label-selector.ts';
import type { PodInfo } from '../pod-info.ts';

/** A PodDisruptionBudget, as far as preemption goes by it. */
export interface Budget {
  readonly namespace: string;
  readonly selector: LabelSelector;
  /** How many more pods it lets go. */
  readonly allowed: number;
  /** Whether it has let that pod go already. */
  hasLetGo(podName: string): boolean;
}

/** One whose selector is empty, or none, is about no pod. */
export function budgetOf(pdb: JsonObject): Budget {
  const status = objectAt(pdb, 'status');
  const selector = parseLabelSelector(objectAt(objectAt(pdb, 'spec'), 'selector')) ?? NOTHING;
  return {
    namespace: namespaceOf(pdb),
    selector: isEverything(selector) ? NOTHING : selector,
    allowed: Number(count(status, 'disruptionsAllowed')),
    hasLetGo: (name) => has(objectAt(status, 'disruptedPods'), name),
  };
}

/** Pods whose leaving violates a budget, if all leave in this order, and the others: upstream's filterPodsWithPDBViolation. */
export function byViolation(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { readonly violating: PodInfo[]; readonly harmless: PodInfo[] } {
  const left = budgets.map(({ allowed }) => allowed);
  const found = { violating: [] as PodInfo[], harmless: [] as PodInfo[] };
  for (const pod of pods) found[violates(pod, budgets, left) ? 'violating' : 'harmless'].push(pod);
  return found;
}

/** Takes the pod from what is left of each of its budgets. */
function violates(pod: PodInfo, budgets: readonly Budget[], left: number[]): boolean {
  if (hasNoField(pod.labels)) return false;
  let isViolated = false;
  for (const [i, { namespace, selector, hasLetGo }] of budgets.entries()) {
    if (namespace !== pod.namespace || !matches(selector, pod.labels) || hasLetGo(pod.name)) continue;
    const now = (left[i] ?? 0) - 1;
    left[i] = now;
    isViolated ||= now < 0;
  }
  return isViolated;
}
