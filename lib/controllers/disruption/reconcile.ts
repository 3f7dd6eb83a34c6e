import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { POD_DISRUPTION_BUDGETS, PODS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { ObjectChange, Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { type Recorder, recordEvent, recordOnce } from '#lib/client/record/record-event.ts';
import { type RestMapper, restMapper } from '#lib/client/rest-mapper.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { type LabelSelector, NOTHING, selectorText } from '#lib/machinery/labels/selector.ts';
import { namespaceOf } from '#lib/machinery/meta.ts';
import { parseLabelSelector } from '#lib/server/registry/kinds/shared/label-selector.ts';
import { PodSelectors } from '../pod-selectors.ts';
import { TURNS_APART } from '../workload/turns-apart.ts';
import {
  amounts,
  asksForScale,
  budgetStateOf,
  countHealthy,
  disruptedPods,
  failedStatus,
  nextStatus,
  staleMarkIn,
  withoutMark,
} from './decide.ts';
import { countFailed, multipleBudgets, NO_PODS, notDeleted, unmanagedPods } from './events.ts';
import { type Scale, scaleOf } from './scales.ts';

const BUDGET = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
const POD = { apiVersion: 'v1', kind: 'Pod' };

interface Ports {
  readonly client: Clientset;
  readonly clock: Clock;
  readonly events: EventCorrelator;
  readonly mapper: RestMapper;
  readonly selectors: PodSelectors;
}

/**
 * Computes for every budget how many of its pods may be evicted: upstream's disruption controller. Keys are `budget/NAMESPACE/NAME` for a
 * budget to count, and `mark/NAMESPACE/NAME` for a pod whose DisruptionTarget condition may be stale.
 */
export function disruptionController(client: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const selectors = new PodSelectors(budgetStateOf);
  const ports: Ports = { client: clientset(client), clock, events, mapper: restMapper(client), selectors };
  return {
    name: 'disruption',
    apart: TURNS_APART,
    keys: (change) => keysOf(change, selectors, clock),
    reconcile(key) {
      const [what, namespace = '', name = ''] = key.split('/');
      return what === 'budget' ? count(ports, namespace, name) : takeMarkBack(ports, namespace, name);
    },
  };
}

const selectorOf = ({ spec }: PodDisruptionBudget): LabelSelector => parseLabelSelector(spec.selector) ?? NOTHING;

function keysOf(change: ObjectChange, selectors: PodSelectors, clock: Clock): readonly string[] {
  const { type, group, resource } = change;
  const own = `${change.namespace}/${change.name}`;
  if (group === '' && resource === 'pods') {
    const budgets = selectors.take(change).map((key) => `budget/${key}`);
    const isMarked = type !== 'DELETED' && change.mentions('"DisruptionTarget"');
    if (!isMarked || staleMarkIn(typedObject(PODS, change.object()), clock.now()) === undefined) return budgets;
    return [...budgets, `mark/${own}`];
  }
  if (group !== 'policy' || resource !== 'poddisruptionbudgets') return [];
  if (type === 'DELETED') {
    selectors.set(change, undefined);
    return [];
  }
  selectors.set(change, selectorOf(typedObject(POD_DISRUPTION_BUDGETS, change.object())));
  return [`budget/${own}`];
}

async function count(ports: Ports, namespace: string, name: string): Promise<Result> {
  const ref = { resource: POD_DISRUPTION_BUDGETS, namespace, name };
  const budget = await ports.client.get(ref);
  if (budget === undefined) return undefined;
  try {
    return await countPods(ports, ref, budget);
  } catch (error) {
    if (!(error instanceof StatusError) || error.reason === 'Conflict') throw error;
    return fail(ports, ref, budget, error.message);
  }
}

async function countPods(ports: Ports, ref: RefOf<PodDisruptionBudget>, budget: PodDisruptionBudget): Promise<Result> {
  const { client, clock } = ports;
  const pods = await podsOf(client, budget);
  const scale = await scaleFor(ports, budget, pods);
  if (typeof scale === 'string') return fail(ports, ref, budget, scale);
  const now = clock.now();
  const { pods: disrupted, overdue, wait } = disruptedPods(budget, pods, now);
  const currentHealthy = countHealthy(pods, disrupted);
  const counted = { ...amounts(budget, pods.length, scale.total), currentHealthy, disrupted };
  const status = nextStatus(budget, counted, now);
  if (status !== undefined) {
    await tell(ports, budget, { pods, overdue, unmanaged: scale.unmanaged });
    await client.update(ref, { ...budget, status }, 'status');
  }
  return wait === undefined ? undefined : { requeueAfter: wait + 1 };
}

async function podsOf(client: Clientset, budget: PodDisruptionBudget): Promise<readonly Pod[]> {
  const selector = selectorOf(budget);
  if (selector.nothing === true) return [];
  return client.list(PODS, { namespace: namespaceOf(budget), labelSelector: selectorText(selector) });
}

async function scaleFor(
  { client, mapper }: Ports,
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
): Promise<Scale | string> {
  if (!asksForScale(budget)) return { total: 0, unmanaged: [] };
  return scaleOf({ client, mapper, namespace: namespaceOf(budget) }, pods);
}

/** No disruption is allowed while the number is unknown. */
async function fail(
  ports: Ports,
  ref: RefOf<PodDisruptionBudget>,
  budget: PodDisruptionBudget,
  message: string,
): Promise<Result> {
  const status = failedStatus(budget, message, ports.clock.now());
  if (status === undefined) return undefined;
  await recordEvent(recorder(ports, BUDGET), budget, countFailed(message));
  await ports.client.update(ref, { ...budget, status }, 'status');
  return undefined;
}

interface BudgetEvents {
  readonly pods: readonly Pod[];
  readonly overdue: readonly Pod[];
  readonly unmanaged: readonly string[];
}

/** Records an event of a budget, but only with a new status. A settled budget is therefore reported once. */
async function tell(
  ports: Ports,
  budget: PodDisruptionBudget,
  { pods, overdue, unmanaged }: BudgetEvents,
): Promise<void> {
  const about = recorder(ports, BUDGET);
  if (pods.length === 0) await recordEvent(about, budget, NO_PODS);
  if (unmanaged.length > 0) await recordEvent(about, budget, unmanagedPods(budget));
  for (const pod of overdue) await recordEvent(recorder(ports, POD), pod, notDeleted(budget));
  for (const pod of pods) {
    const [chosen = '', ...others] = ports.selectors.selecting(pod);
    if (others.length > 0) await recordOnce(recorder(ports, POD), pod, multipleBudgets(pod, chosen));
  }
}

const recorder = ({ client, events }: Ports, kind: { apiVersion: string; kind: string }): Recorder => ({
  client,
  component: 'controllermanager',
  ...kind,
  events,
});

async function takeMarkBack({ client, clock }: Ports, namespace: string, name: string): Promise<Result> {
  const ref = { resource: PODS, namespace, name };
  const pod = await client.get(ref);
  const wait = pod === undefined ? undefined : staleMarkIn(pod, clock.now());
  if (pod === undefined || wait === undefined) return undefined;
  if (wait > 0) return { requeueAfter: wait };
  await client.update(ref, withoutMark(pod, clock.now()), 'status');
  return undefined;
}
