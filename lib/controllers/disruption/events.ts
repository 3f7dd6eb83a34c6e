import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { goSelector } from '#lib/server/registry/kinds/shared/go-selector.ts';

/** The event for a budget that selects no pod. */
export const NO_PODS: EventText = { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' };

/** The event for a budget that could not be counted. */
export const countFailed = (why: string): EventText => ({
  type: 'Warning',
  reason: 'CalculateExpectedPodCountFailed',
  message: `Failed to calculate the number of expected pods: ${why}`,
});

/** The event for a pod that was evicted but not deleted. Like upstream, it prints the namespace instead of the budget's name. */
export const notDeleted = (budget: PodDisruptionBudget): EventText => ({
  type: 'Warning',
  reason: 'NotDeleted',
  message: `Pod was expected by PDB ${namespaceOf(budget)}/${namespaceOf(budget)} to be deleted but it wasn't`,
});

/** The event for a pod that several budgets select. */
export const multipleBudgets = (pod: Pod, chosen: string): EventText => ({
  type: 'Warning',
  reason: 'MultiplePodDisruptionBudgets',
  message: `Pod "${namespaceOf(pod)}"/"${nameOf(pod)}" matches multiple PodDisruptionBudgets.  Chose "${chosen}" arbitrarily.`,
});

/** The event for a budget that selects pods without controllers. */
export const unmanagedPods = (budget: PodDisruptionBudget): EventText => ({
  type: 'Warning',
  reason: 'UnmanagedPods',
  message:
    `Pods selected by this PodDisruptionBudget (selector: ${goSelector(budget.spec.selector ?? {})}) were found ` +
    'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined ' +
    'behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.',
});
