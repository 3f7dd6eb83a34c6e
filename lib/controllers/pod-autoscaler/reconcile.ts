import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '#lib/api/types/autoscaling.v2.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { HORIZONTAL_POD_AUTOSCALERS, PODS } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { type Recorder, recordEvent, recordOnce } from '#lib/client/record/record-event.ts';
import { type RestMapper, restMapper } from '#lib/client/rest-mapper.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { equal, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { matches, parseSelector } from '#lib/machinery/labels/selector.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { count, text } from '#lib/machinery/unstructured.ts';
import { type Condition, withCondition } from './conditions.ts';
import { boundsOf, byMetrics, type Decision, tolerancesOf, withoutMetrics } from './decide.ts';
import { type History, recent, scaled, startWith } from './history.ts';
import { type Failed, type Measured, measure } from './measure.ts';
import { Metrics } from './samples.ts';

/** The interval in ms between two reconciliations: upstream's --horizontal-pod-autoscaler-sync-period. */
const PERIOD = 15_000;

/** Scales workloads by metrics via their scale subresource: upstream's horizontal pod autoscaler. */
export function podAutoscaler(client: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const autoscaler = new Autoscaler(client, clock, events);
  const specs = new Map<string, string>();
  return {
    name: 'horizontal-pod-autoscaler',
    keys({ type, group, resource, namespace, name, object }) {
      if (group !== HORIZONTAL_POD_AUTOSCALERS.group || resource !== HORIZONTAL_POD_AUTOSCALERS.resource) return [];
      const key = `${namespace}/${name}`;
      const spec = type === 'DELETED' ? undefined : JSON.stringify(object()['spec']);
      const isSame = spec !== undefined && specs.get(key) === spec;
      if (spec === undefined) specs.delete(key);
      else specs.set(key, spec);
      return isSame ? [] : [key];
    },
    async reconcile(key) {
      const ref = { resource: HORIZONTAL_POD_AUTOSCALERS, ...splitKey(key) };
      return autoscaler.reconcile(key, ref);
    },
  };
}

/** The `scale` subresource of a workload, which may be of any kind. */
interface Scale {
  readonly ref: ObjectRef;
  readonly object: JsonObject;
  /** The wanted and the current number of replicas. */
  readonly replicas: number;
  readonly observed: number;
  readonly selector: string;
}

/** The outcome of one reconciliation of an autoscaler. */
interface Outcome {
  readonly conditions: readonly Condition[];
  readonly current?: number;
  readonly desired?: number;
  readonly metrics?: readonly MetricStatus[];
  readonly isScaled?: boolean;
}

class Autoscaler {
  readonly #client: Clientset;
  readonly #clock: Clock;
  readonly #mapper: RestMapper;
  readonly #histories = new Map<string, History>();
  /** Selectors of scales, by autoscaler. */
  readonly #selectors = new Map<string, string>();
  readonly #recorder: Recorder;

  constructor(client: Client, clock: Clock, events: EventCorrelator) {
    this.#client = clientset(client);
    this.#clock = clock;
    this.#mapper = restMapper(client);
    const kind = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };
    this.#recorder = { client, component: 'horizontal-pod-autoscaler', ...kind, events };
  }

  async reconcile(key: string, ref: RefOf<HorizontalPodAutoscaler>): Promise<Result> {
    const object = await this.#client.get(ref);
    if (object === undefined) {
      this.#histories.delete(key);
      this.#selectors.delete(key);
      return undefined;
    }
    const outcome = await this.#look(key, ref, object);
    await this.#writeStatus(ref, object, outcome).catch(ignoreNotFound);
    return { requeueAfter: PERIOD };
  }

  async #look(key: string, { namespace }: ObjectRef, autoscaler: HorizontalPodAutoscaler): Promise<Outcome> {
    const scale = await this.#scaleOf(namespace, autoscaler.spec.scaleTargetRef);
    if (typeof scale === 'string') {
      await this.#warn(autoscaler, 'FailedGetScale', scale);
      const message = `the HPA controller was unable to get the target's current scale: ${scale}`;
      return { conditions: [{ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message }] };
    }
    const able = "the HPA controller was able to get the target's current scale";
    const got: Condition = { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message: able };
    const { replicas: current } = scale;
    const now = this.#clock.now();
    const history = recent(this.#histories.get(key) ?? startWith(current, now), now);
    this.#histories.set(key, history);
    const plain = withoutMetrics(current, boundsOf(autoscaler), history);
    if (plain !== undefined)
      return this.#act(key, autoscaler, scale, { ...plain, conditions: [got, ...plain.conditions] }, []);
    const measured = await this.#measure(key, autoscaler, scale);
    if ('status' in measured) {
      const isMissing = scale.selector === '';
      if (isMissing) await this.#warn(autoscaler, 'SelectorRequired', 'selector is required');
      else await this.#warn(autoscaler, measured.reason, measured.message);
      return { current, conditions: [got, measured], metrics: [] };
    }
    for (const one of measured.all) if ('why' in one) await this.#warn(autoscaler, one.reason, one.why);
    const decision = byMetrics({ autoscaler, current, history, now }, measured.all);
    this.#histories.set(key, decision.history);
    const statuses = measured.all.flatMap((one) => ('why' in one ? [] : [one.status]));
    return this.#act(key, autoscaler, scale, { ...decision, conditions: [got, ...decision.conditions] }, statuses);
  }

  /** The scale of the workload, or a message if there is none. */
  async #scaleOf(
    namespace: string,
    { apiVersion: version = '', kind, name }: CrossVersionObjectReference,
  ): Promise<Scale | string> {
    const served = await this.#mapper.ofKind(version, kind);
    if (served === undefined) return `no matches for kind "${kind}" in group "${groupOf(version)}"`;
    const { resource } = served;
    const path = `${groupPath(resource)}/namespaces/${namespace}/${resource.resource}/${encodeURIComponent(name)}/scale`;
    try {
      return scaleIn({ resource, namespace, name }, await this.#client.document(path));
    } catch (error) {
      if (error instanceof StatusError) return error.message;
      throw error;
    }
  }

  async #measure(
    key: string,
    autoscaler: HorizontalPodAutoscaler,
    { ref: { namespace }, selector, replicas, observed }: Scale,
  ): Promise<Condition | { readonly all: readonly (Measured | Failed)[] }> {
    const inactive = (reason: string, message: string): Condition => ({
      type: 'ScalingActive',
      status: 'False',
      reason,
      message,
    });
    if (selector === '') return inactive('InvalidSelector', "the HPA target's scale is missing a selector");
    this.#selectors.set(key, selector);
    const pods = await this.#client.list(PODS, { namespace, labelSelector: selector });
    const others = this.#alsoSelecting(key, namespace, pods);
    if (others.length > 0) {
      const all = [key, ...others].map((one) => `{${one.split('/')[1]} ${namespace}}`).sort();
      const message = `pods by selector ${selector} are controlled by multiple HPAs: [${all.join(' ')}]`;
      return inactive('AmbiguousSelector', message);
    }
    const target = {
      pods,
      selector,
      replicas,
      observed,
      tolerances: tolerancesOf(autoscaler),
      now: this.#clock.now(),
      metrics: new Metrics(this.#client, namespace),
      namespace,
      describe: (described: CrossVersionObjectReference) => this.#describe(described),
    };
    const all: (Measured | Failed)[] = [];
    for (const spec of autoscaler.spec.metrics ?? []) all.push(await measure(target, spec));
    return { all };
  }

  #alsoSelecting(key: string, namespace: string, pods: readonly Pod[]): readonly string[] {
    return [...this.#selectors]
      .filter(([other]) => other !== key && other.startsWith(`${namespace}/`))
      .filter(([, selector]) => pods.some((pod) => matches(parseSelector(selector), labelsOf(pod))))
      .map(([other]) => other);
  }

  async #describe({ apiVersion: version = '', kind, name }: CrossVersionObjectReference): Promise<string | undefined> {
    if (kind === 'Namespace' && groupOf(version) === '') return '';
    const served = await this.#mapper.ofKind(version, kind);
    if (served === undefined) return undefined;
    const { group, resource } = served.resource;
    return `${group === '' ? resource : `${resource}.${group}`}/${encodeURIComponent(name)}`;
  }

  async #act(
    key: string,
    autoscaler: HorizontalPodAutoscaler,
    { ref, object, replicas: current }: Scale,
    { replicas, reason, conditions, failure }: Decision,
    metrics: readonly MetricStatus[],
  ): Promise<Outcome> {
    if (failure !== undefined && replicas === undefined)
      await this.#warn(autoscaler, 'FailedComputeMetricsReplicas', failure);
    if (replicas === undefined) return { conditions, current, metrics };
    if (replicas === current) return { conditions, current, desired: current, metrics };
    const spec = { ...objectAt(object, 'spec'), replicas };
    const refused = await this.#client.update(ref, { ...object, spec }, 'scale').then(() => undefined, refusal);
    const size = `New size: ${replicas}; reason: ${reason}`;
    if (refused !== undefined) {
      await this.#warn(autoscaler, 'FailedRescale', `${size}; error: ${refused}`);
      const message = `the HPA controller was unable to update the target scale: ${refused}`;
      const unable: Condition = { type: 'AbleToScale', status: 'False', reason: 'FailedUpdateScale', message };
      return { conditions: [...conditions, unable], current, metrics };
    }
    const now = this.#clock.now();
    this.#histories.set(key, scaled(this.#histories.get(key) ?? startWith(current, now), replicas - current, now));
    await recordEvent(this.#recorder, autoscaler, { type: 'Normal', reason: 'SuccessfulRescale', message: size });
    const message = `the HPA controller was able to update the target scale to ${replicas}`;
    const done: Condition = { type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', message };
    return { conditions: [...conditions, done], current, desired: replicas, metrics, isScaled: true };
  }

  async #writeStatus(
    ref: RefOf<HorizontalPodAutoscaler>,
    autoscaler: HorizontalPodAutoscaler,
    outcome: Outcome,
  ): Promise<void> {
    const now = this.#clock.now();
    const { status: known } = autoscaler;
    const held: readonly HorizontalPodAutoscalerCondition[] = known.conditions ?? [];
    const conditions = outcome.conditions.reduce((all, one) => withCondition(all, one, now), held);
    const { current, desired, metrics = [] } = outcome;
    const sizes =
      current === undefined ? {} : { currentReplicas: current, desiredReplicas: desired ?? known.desiredReplicas };
    const status: HorizontalPodAutoscalerStatus = { ...known, ...sizes, conditions: [...conditions] };
    if (current !== undefined) status.currentMetrics = metrics.length === 0 ? null : [...metrics];
    if (outcome.isScaled === true) status.lastScaleTime = timeOf(now);
    const before = { ...known, currentMetrics: known.currentMetrics ?? null };
    if (equal({ ...status, currentMetrics: status.currentMetrics ?? null }, before)) return;
    try {
      await this.#client.update(ref, { ...autoscaler, status }, 'status');
    } catch (error) {
      await this.#warn(autoscaler, 'FailedUpdateStatus', messageOfError(error));
      throw error;
    }
  }

  /** Warns once. Upstream repeats the warning at every sync. */
  #warn(autoscaler: HorizontalPodAutoscaler, reason: string, message: string): Promise<void> {
    const event: EventText = { type: 'Warning', reason, message };
    return recordOnce(this.#recorder, autoscaler, event);
  }
}

const scaleIn = (ref: ObjectRef, object: JsonObject): Scale => ({
  ref,
  object,
  replicas: Number(count(objectAt(object, 'spec'), 'replicas')),
  observed: Number(count(objectAt(object, 'status'), 'replicas')),
  selector: text(objectAt(object, 'status'), 'selector'),
});

function refusal(error: unknown): string {
  if (error instanceof StatusError) return error.message;
  throw error;
}

const groupOf = (version: string): string => (version.includes('/') ? (version.split('/')[0] ?? '') : '');

const groupPath = ({ group, version }: GroupVersionResource): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
