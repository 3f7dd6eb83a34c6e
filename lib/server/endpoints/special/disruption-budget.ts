import { recordUpdate } from '#lib/api/patch/apply/record-update.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Condition } from '#lib/api/types/meta.v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '#lib/api/types/policy.v1.ts';
import { findCondition, updateCondition } from '#lib/machinery/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { forbidden, StatusError } from '#lib/machinery/errors.ts';
import { clone, setField } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { generationOf, labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { parseLabelSelector } from '#lib/server/registry/kinds/shared/label-selector.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { change, type DefinitionOf, listAll } from './stored.ts';

const BUDGETS = { group: 'policy', resource: 'poddisruptionbudget' };
const ALLOWED = 'DisruptionAllowed';
const VIOLATED = "Cannot evict pod as it would violate the pod's disruption budget.";
/** The maximum number of evictions that the budget's controller has not observed yet. */
const MOST_UNSEEN = 2000;
/** The time in seconds after which a client retries. */
const RETRY_AFTER = 10;

/** Returns the budgets of the namespace that select the pod. An invalid selector selects nothing. */
export async function budgetsOf(
  budgets: DefinitionOf<PodDisruptionBudget>,
  op: OperationContext,
  pod: Pod,
): Promise<PodDisruptionBudget[]> {
  const labels = labelsOf(pod);
  return (await listAll(budgets, op)).filter((budget) => {
    const selector = parseLabelSelector(budget.spec.selector);
    return selector !== undefined && matches(selector, labels);
  });
}

/** Records the disruption of the pod in the budget. Throws 429 if the budget allows no more disruptions. */
export async function takeFromBudget(eviction: {
  budgets: DefinitionOf<PodDisruptionBudget>;
  op: OperationContext;
  budget: string;
  pod: string;
}): Promise<void> {
  const { budgets, op, budget: name, pod } = eviction;
  await change(budgets, op, name, (budget) => {
    checkBudget(budget);
    const live = clone(budget);
    const { status } = budget;
    status.disruptionsAllowed--;
    if (status.disruptionsAllowed === 0) noneLeft(budget, op.now);
    setField((status.disruptedPods ??= {}), pod, timeOf(op.now));
    own(budgets, op, live, budget);
  });
}

/** Records ownership of the changed fields. Upstream's server updates the budget through its own API, so it owns those fields. */
function own(
  { scheme }: ResourceDefinition,
  { now }: OperationContext,
  live: PodDisruptionBudget,
  updated: PodDisruptionBudget,
): void {
  const by = { manager: 'kube-apiserver', operation: 'Update', subresource: 'status', isCreate: false } as const;
  const as = { schema: scheme.typed, apiVersion: apiVersion(scheme.kind) };
  const { managedFields } = metadataOf(recordUpdate({ ...by, ...as, live, updated: clone(updated), now }));
  if (managedFields !== undefined) setField(updated.metadata, 'managedFields', managedFields);
}

/** Returns the 429 for an eviction that conflicts with another update of the budget. */
export const tooManyEvictions = (budget: string): StatusError =>
  violation(`The disruption budget ${budget} is still being processed by the server.`, RETRY_AFTER);

function violation(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError('TooManyRequests', VIOLATED, {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...defined({ retryAfterSeconds }),
  });
}

function checkBudget(budget: PodDisruptionBudget): void {
  const name = nameOf(budget);
  const { status } = budget;
  if ((status.observedGeneration ?? 0) < generationOf(budget)) throw tooManyEvictions(name);
  const allowed = status.disruptionsAllowed;
  if (allowed < 0) throw forbidden(BUDGETS, name, 'pdb disruptions allowed is negative');
  if (Object.keys(status.disruptedPods ?? {}).length > MOST_UNSEEN) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(BUDGETS, name, why);
  }
  if (allowed === 0) throw violation(`The disruption budget ${name} ${whyNone(status)}`);
}

function whyNone(status: PodDisruptionBudgetStatus): string {
  const condition = findCondition(status.conditions, ALLOWED);
  const message = condition?.status === 'False' ? condition.message : '';
  const reason = condition?.reason ?? '';
  if (message !== '' && reason === 'SyncFailed')
    return `does not allow evicting pods currently because it failed sync: ${message}`;
  const { currentHealthy: healthy, desiredHealthy: desired } = status;
  if (healthy <= desired) return `needs ${desired} healthy pods and has ${healthy} currently`;
  return message === ''
    ? 'does not allow evicting pods currently'
    : `does not allow evicting pods currently (${reason}): ${message}`;
}

function noneLeft(budget: PodDisruptionBudget, now: Date): void {
  budget.status.conditions = updateCondition<Condition>(budget.status.conditions, {
    type: ALLOWED,
    status: 'False',
    observedGeneration: generationOf(budget),
    lastTransitionTime: timeOf(now),
    reason: 'InsufficientPods',
    message: '',
  });
}
