import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { hasNoField, ownField } from '#lib/machinery/json-value.ts';
import { isEverything, type LabelSelector, matches, NOTHING } from '#lib/machinery/labels/selector.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import { parseLabelSelector } from '#lib/server/registry/kinds/shared/label-selector.ts';
import type { PodInfo } from '../pod-info.ts';

/** The part of a PodDisruptionBudget that preemption reads. */
export interface Budget {
  readonly namespace: string;
  readonly selector: LabelSelector;
  /** The number of further disruptions that the budget allows. */
  readonly allowed: number;
  /** Whether the budget has already allowed this pod's disruption. */
  hasLetGo(podName: string): boolean;
}

/** Converts a PodDisruptionBudget. An empty or absent selector selects no pod. */
export function budgetOf(pdb: PodDisruptionBudget): Budget {
  const { disruptionsAllowed, disruptedPods } = pdb.status;
  const selector = parseLabelSelector(pdb.spec.selector) ?? NOTHING;
  return {
    namespace: namespaceOf(pdb),
    selector: isEverything(selector) ? NOTHING : selector,
    allowed: disruptionsAllowed,
    hasLetGo: (name) => (ownField(disruptedPods, name) ?? null) !== null,
  };
}

/**
 * Splits the pods into those whose eviction violates a budget, if all are evicted in this order, and the others: upstream's
 * filterPodsWithPDBViolation.
 */
export function byViolation(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { readonly violating: PodInfo[]; readonly harmless: PodInfo[] } {
  const left = budgets.map(({ allowed }) => allowed);
  const found = { violating: [] as PodInfo[], harmless: [] as PodInfo[] };
  for (const pod of pods) found[violates(pod, budgets, left) ? 'violating' : 'harmless'].push(pod);
  return found;
}

/** Counts the pod's disruption against each of its budgets. Returns whether one is exceeded. */
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
