import type { Client, ObjectRef } from '#lib/client/client.ts';
import { restMapper, type RestMapper } from '#lib/client/rest-mapper.ts';
import { splitKey } from '#lib/client/split-key.ts';
import type { Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { matches, parseSelector } from '#lib/machinery/labels/selector.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { conditionsOf, timeOf, type Conditions } from '../workload/conditions.ts';
import { recordEvent, recordOnce, type EventText, type Recorder } from '../workload/record-event.ts';
import { withCondition, type Condition } from './conditions.ts';
import { boundsOf, byMetrics, tolerancesOf, withoutMetrics, type Decision } from './decide.ts';
import { recent, scaled, startWith, type History } from './history.ts';
import { measure, type Failed, type Measured } from './measure.ts';
import { Metrics } from './samples.ts';

const AUTOSCALERS: GroupVersionResource = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
const PODS: GroupVersionResource = { group: '', version: 'v1', resource: 'pods' };
/** Milliseconds between two looks: upstream's --horizontal-pod-autoscaler-sync-period. */
const PERIOD = 15_000;

/** Sizes workloads by what metrics say, through their scale: upstream's horizontal pod autoscaler. */
export function podAutoscaler(client: Client, clock: Clock): Reconciler {
  const autoscaler = new Autoscaler(client, clock);
  const specs = new Map<string, string>();
  return {
    name: 'horizontal-pod-autoscaler',
    keys({ type, group, resource, namespace, name, object }) {
      if (group !== AUTOSCALERS.group || resource !== AUTOSCALERS.resource) return [];
      const key = `${namespace}/${name}`;
      const spec = type === 'DELETED' ? undefined : JSON.stringify(object()['spec']);
      const isSame = spec !== undefined && specs.get(key) === spec;
      if (spec === undefined) specs.delete(key);
      else specs.set(key, spec);
      return isSame ? [] : [key];
    },
    async reconcile(key) {
      const ref = { resource: AUTOSCALERS, ...splitKey(key) };
      return autoscaler.reconcile(key, ref);
    },
  };
}

interface Scale {
  readonly ref: ObjectRef;
  readonly object: JsonObject;
}

/** What one look at an autoscaler comes to. */
interface Outcome {
  readonly conditions: readonly Condition[];
  readonly current?: number;
  readonly desired?: number;
  readonly metrics?: readonly JsonObject[];
  readonly isScaled?: boolean;
}

class Autoscaler {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #mapper: RestMapper;
  readonly #histories = new Map<string, History>();
  /** Selectors of scales, by autoscaler. */
  readonly #selectors = new Map<string, string>();
  readonly #recorder: Recorder;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#mapper = restMapper(client);
    const kind = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };
    this.#recorder = { client, component: 'horizontal-pod-autoscaler', ...kind, now: () => clock.now() };
  }

  async reconcile(key: string, ref: ObjectRef): Promise<Result> {
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

  async #look(key: string, { namespace }: ObjectRef, autoscaler: JsonObject): Promise<Outcome> {
    const scale = await this.#scaleOf(namespace, objectAt(objectAt(autoscaler, 'spec'), 'scaleTargetRef') ?? {});
    if (typeof scale === 'string') {
      await this.#warn(autoscaler, 'FailedGetScale', scale);
      const message = `the HPA controller was unable to get the target's current scale: ${scale}`;
      return { conditions: [{ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message }] };
    }
    const able = "the HPA controller was able to get the target's current scale";
    const got: Condition = { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message: able };
    const current = Number(count(objectAt(scale.object, 'spec'), 'replicas'));
    const now = this.#clock.now();
    const history = recent(this.#histories.get(key) ?? startWith(current, now), now);
    this.#histories.set(key, history);
    const plain = withoutMetrics(current, boundsOf(autoscaler), history);
    if (plain !== undefined)
      return this.#act(key, autoscaler, scale, { ...plain, conditions: [got, ...plain.conditions] }, []);
    const measured = await this.#measure(key, autoscaler, scale);
    if ('status' in measured) {
      await this.#warn(autoscaler, measured.reason, measured.message);
      return { current, conditions: [got, measured], metrics: [] };
    }
    for (const one of measured.all) if ('why' in one) await this.#warn(autoscaler, one.reason, one.why);
    const decision = byMetrics({ autoscaler, current, history, now }, measured.all);
    this.#histories.set(key, decision.history);
    const statuses = measured.all.flatMap((one) => ('why' in one ? [] : [one.status]));
    return this.#act(key, autoscaler, scale, { ...decision, conditions: [got, ...decision.conditions] }, statuses);
  }

  /** A text says why there is none. */
  async #scaleOf(namespace: string, target: JsonObject): Promise<Scale | string> {
    const [version, kind, name] = [text(target, 'apiVersion'), text(target, 'kind'), text(target, 'name')];
    const served = await this.#mapper.ofKind(version, kind);
    if (served === undefined) return `no matches for kind "${kind}" in group "${groupOf(version)}"`;
    const { resource } = served;
    const path = `${groupPath(resource)}/namespaces/${namespace}/${resource.resource}/${encodeURIComponent(name)}/scale`;
    try {
      return { ref: { resource, namespace, name }, object: await this.#client.document(path) };
    } catch (error) {
      if (error instanceof StatusError) return error.message;
      throw error;
    }
  }

  async #measure(
    key: string,
    autoscaler: JsonObject,
    { ref: { namespace }, object }: Scale,
  ): Promise<Condition | { readonly all: readonly (Measured | Failed)[] }> {
    const selector = text(objectAt(object, 'status'), 'selector');
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
      replicas: Number(count(objectAt(object, 'spec'), 'replicas')),
      observed: Number(count(objectAt(object, 'status'), 'replicas')),
      tolerances: tolerancesOf(autoscaler),
      now: this.#clock.now(),
      metrics: new Metrics(this.#client, namespace),
      describe: (described: JsonObject) => this.#describe(described),
    };
    const all: (Measured | Failed)[] = [];
    for (const spec of items(objectAt(autoscaler, 'spec'), 'metrics')) all.push(await measure(target, spec));
    return { all };
  }

  #alsoSelecting(key: string, namespace: string, pods: readonly JsonObject[]): readonly string[] {
    return [...this.#selectors]
      .filter(([other]) => other !== key && other.startsWith(`${namespace}/`))
      .filter(([, selector]) => pods.some((pod) => matches(parseSelector(selector), labelsOf(pod))))
      .map(([other]) => other);
  }

  async #describe(object: JsonObject): Promise<string | undefined> {
    const [version, kind] = [text(object, 'apiVersion'), text(object, 'kind')];
    if (kind === 'Namespace' && groupOf(version) === '') return '';
    const served = await this.#mapper.ofKind(version, kind);
    if (served === undefined) return undefined;
    const { group, resource } = served.resource;
    return `${group === '' ? resource : `${resource}.${group}`}/${encodeURIComponent(text(object, 'name'))}`;
  }

  async #act(
    key: string,
    autoscaler: JsonObject,
    { ref, object }: Scale,
    { replicas, reason, conditions, failure }: Decision,
    metrics: readonly JsonObject[],
  ): Promise<Outcome> {
    const current = Number(count(objectAt(object, 'spec'), 'replicas'));
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

  async #writeStatus(ref: ObjectRef, autoscaler: JsonObject, outcome: Outcome): Promise<void> {
    const now = this.#clock.now();
    const known = objectAt(autoscaler, 'status') ?? {};
    const held: Conditions = conditionsOf(autoscaler);
    const conditions = outcome.conditions.reduce((all, one) => withCondition(all, one, now), held);
    const { current, desired, metrics = [] } = outcome;
    const sizes =
      current === undefined
        ? {}
        : { currentReplicas: current, desiredReplicas: desired ?? count(known, 'desiredReplicas') };
    const status: JsonObject = { ...known, ...sizes, conditions: [...conditions] };
    if (current !== undefined) status['currentMetrics'] = [...metrics];
    if (metrics.length === 0 && current !== undefined) status['currentMetrics'] = null;
    if (outcome.isScaled === true) status['lastScaleTime'] = timeOf(now);
    const before = { ...known, currentMetrics: ownField(known, 'currentMetrics') ?? null };
    if (equal({ ...status, currentMetrics: status['currentMetrics'] ?? null }, before)) return;
    await this.#client.update(ref, { ...autoscaler, status }, 'status');
  }

  /** Upstream says the same at every look; here it is said when it begins. */
  #warn(autoscaler: JsonObject, reason: string, message: string): Promise<void> {
    const event: EventText = { type: 'Warning', reason, message };
    return recordOnce(this.#recorder, autoscaler, event);
  }
}

function refusal(error: unknown): string {
  if (error instanceof StatusError) return error.message;
  throw error;
}

const groupOf = (version: string): string => (version.includes('/') ? (version.split('/')[0] ?? '') : '');

const groupPath = ({ group, version }: GroupVersionResource): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
