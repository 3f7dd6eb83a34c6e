import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Eviction, PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { POD_DISRUPTION_BUDGETS, PODS } from '#lib/api/types/resources.ts';
import { isPodTerminal, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { updatePodCondition } from '#lib/helpers/component-helpers/pod/update-pod-condition.ts';
import { badRequest, invalid, StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { invalid as invalidField } from '#lib/machinery/validation/field.ts';
import { NO_ADMISSION } from '#lib/server/registry/admission.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { checkPreconditions, type DeleteOptions, validateDeleteOptions } from '#lib/server/registry/rest/delete.ts';
import { deleteObject } from '#lib/server/registry/store/delete.ts';
import type { Handler } from '../filters/filter.ts';
import { deleteOptionsFrom } from '../handlers/delete-options.ts';
import { type CreatePorts, createEndpoint, type KindOf, SUCCESS } from './create-endpoint.ts';
import { budgetsOf, takeFromBudget, tooManyEvictions } from './disruption-budget.ts';
import { change, type DefinitionOf, definitionOf, read } from './stored.ts';

const EVICTION: KindOf<Eviction> = { group: 'policy', version: 'v1', kind: 'Eviction' };
const DISRUPTED = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
};
/** The maximum number of attempts at an eviction that conflicts with other writes. */
const ATTEMPTS = 20;
const SEVERAL: JsonObject = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
  code: 500,
};

/** Deletes a pod if its disruption budget allows it: `pods/eviction`. */
export function evictionEndpoint(ports: CreatePorts & { builtIn: BuiltInResources }): Handler {
  const pods = definitionOf(ports.builtIn, PODS);
  const budgets = definitionOf(ports.builtIn, POD_DISRUPTION_BUDGETS);
  return createEndpoint(ports, {
    kind: EVICTION,
    namespaced: true,
    async act({ context, op, object, admit }) {
      const { name } = context.info;
      if (name !== nameOf(object)) throw badRequest('name in URL does not match name in Eviction object');
      const options = optionsOf(object, op, name);
      await admit();
      return evict({
        pods,
        budgets,
        op: { ...op, dryRun: options.dryRun.length > 0, admission: NO_ADMISSION },
        name,
        options,
      });
    },
  });
}

function optionsOf({ deleteOptions = {} }: Eviction, op: OperationContext, name: string): DeleteOptions {
  if (deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential === true) {
    const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
    const why = 'can not be set for pod eviction, try after removing the option';
    throw invalid(EVICTION, name, [invalidField(field, true, why)]);
  }
  const options = deleteOptionsFrom(deleteOptions);
  validateDeleteOptions(options);
  return options.dryRun.length === 0 && op.dryRun ? { ...options, dryRun: ['All'] } : options;
}

interface Evicting {
  readonly pods: DefinitionOf<Pod>;
  readonly budgets: DefinitionOf<PodDisruptionBudget>;
  readonly op: OperationContext;
  readonly name: string;
  readonly options: DeleteOptions;
}

async function evict(eviction: Evicting): Promise<JsonObject> {
  const { pods, op, name } = eviction;
  for (let left = ATTEMPTS; ; left--) {
    const pod = await read(pods, op, name);
    if (!needsNoBudget(pod)) return evictGuarded(eviction, pod);
    try {
      await remove(eviction, isOver(pod) ? undefined : resourceVersionOf(pod));
      return SUCCESS;
    } catch (error) {
      if (!isConflict(error) || left === 0 || eviction.options.preconditions?.resourceVersion !== undefined)
        throw error;
    }
  }
}

const isConflict = (error: unknown): boolean => error instanceof StatusError && error.reason === 'Conflict';

/** Whether deleting the pod causes no disruption. */
const isOver = (pod: Pod): boolean => isPodTerminal(pod) || isDeleting(pod);
const needsNoBudget = (pod: Pod): boolean => isOver(pod) || phaseOf(pod) === 'Pending';

async function evictGuarded(eviction: Evicting, pod: Pod): Promise<JsonObject> {
  const { budgets, op } = eviction;
  const [budget, another] = await budgetsOf(budgets, op, pod);
  if (another !== undefined) return SEVERAL;
  const free = budget !== undefined && !isPodReady(pod) && allowsUnready(budget);
  if (budget !== undefined && !free) await takeFromBudget({ budgets, op, budget: nameOf(budget), pod: nameOf(pod) });
  try {
    await remove(eviction, free ? resourceVersionOf(pod) : undefined);
  } catch (error) {
    const ours = free && eviction.options.preconditions?.resourceVersion === undefined;
    if (ours && isConflict(error)) throw tooManyEvictions(nameOf(budget));
    throw error;
  }
  return SUCCESS;
}

/** Whether an unready pod may be evicted: if enough other pods are healthy, or if the budget always allows it. */
function allowsUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  return status.desiredHealthy > 0 && status.currentHealthy >= status.desiredHealthy;
}

/** Marks the pod as disrupted and deletes it. `version` is the version on which the decision was based. */
async function remove({ pods, op, name, options }: Evicting, version: string | undefined): Promise<void> {
  const preconditions = {
    ...options.preconditions,
    ...(version === undefined || options.preconditions?.resourceVersion !== undefined
      ? {}
      : { resourceVersion: version }),
  };
  const checked = { ...options, preconditions };
  if (op.dryRun) return void (await deleteObject(pods, op, name, checked));
  const after = await change(pods, op, name, (pod) => {
    checkPreconditions(pods, pod, checked);
    pod.status.conditions = updatePodCondition(pod.status.conditions, DISRUPTED, op.now);
  });
  // Setting the condition created a new version, so the delete requires that one.
  const moved = preconditions.resourceVersion === undefined ? {} : { resourceVersion: after };
  await deleteObject(pods, op, name, { ...options, preconditions: { ...preconditions, ...moved } });
}
