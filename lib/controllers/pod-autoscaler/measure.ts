import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, integer, text } from '#lib/machinery/unstructured.ts';
import { selectorFromObject, selectorText } from '#lib/machinery/labels/selector.ts';
import { parseQuantity, quantityMilliValue, quantityText } from '#lib/machinery/resource/quantity.ts';
import { requestsOf } from './pods.ts';
import { forShare, forUsage, forUtilization, forValue, type Proposal, type Workload } from './replicas.ts';
import type { Metrics } from './samples.ts';

/** What one metric of an autoscaler asks for. */
export interface Measured {
  readonly replicas: number;
  /** As it is called where it is told of. */
  readonly name: string;
  readonly status: JsonObject;
}

/** Why a metric says nothing. */
export interface Failed {
  readonly reason: string;
  /** What the condition and the event say. */
  readonly why: string;
  /** What is told of all metrics. */
  readonly message: string;
}

export interface Target extends Workload {
  readonly metrics: Metrics;
  /** The scale's selector. */
  readonly selector: string;
  /** Replicas that there are; `replicas` are those that there should be. */
  readonly observed: number;
  /** `resource.group/name` of what a metric describes, as custom metrics name it; undefined where nothing serves it. */
  describe(object: JsonObject): Promise<string | undefined>;
}

type Result = Measured | string;

/** Measures by a metric of the spec. */
export async function measure(target: Target, spec: JsonObject): Promise<Measured | Failed> {
  const type = text(spec, 'type');
  const how = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  const unknown = `unknown metric source type "${type}"`;
  if (how === undefined) return { reason: 'InvalidMetricSourceType', why: unknown, message: unknown };
  const source = objectAt(spec, how.field) ?? {};
  const found = await how.measure(target, source).catch(told);
  if (typeof found !== 'string') return { ...found, status: { type, [how.field]: found.status } };
  return { reason: how.reason, why: found, message: `failed to get ${how.called(source)}: ${found}` };
}

/** A selector that is none. */
function told(error: unknown): string {
  if (error instanceof StatusError) return error.message;
  throw error;
}

interface Kind {
  readonly field: string;
  readonly reason: string;
  called(source: JsonObject): string;
  measure(target: Target, source: JsonObject): Promise<Result>;
}

const metricName = (source: JsonObject): string => text(objectAt(source, 'metric'), 'name');

const KINDS: Readonly<Record<string, Kind>> = {
  Resource: {
    field: 'resource',
    reason: 'FailedGetResourceMetric',
    called: (source) => `${text(source, 'name')} resource metric value`,
    measure: (target, source) => byResource(target, source, ''),
  },
  ContainerResource: {
    field: 'containerResource',
    reason: 'FailedGetContainerResourceMetric',
    called: (source) => `${text(source, 'container')} container metric value`,
    measure: (target, source) => byResource(target, source, text(source, 'container')),
  },
  Pods: {
    field: 'pods',
    reason: 'FailedGetPodsMetric',
    called: () => 'pods metric value',
    measure: byPods,
  },
  Object: {
    field: 'object',
    reason: 'FailedGetObjectMetric',
    called: () => 'object metric value',
    measure: byObject,
  },
  External: {
    field: 'external',
    reason: 'FailedGetExternalMetric',
    called: (source) => `${metricName(source)} external metric value`,
    measure: byExternal,
  },
};

const milli = (value: string): number => Number(quantityMilliValue(parseQuantity(value)));
const quantity = (thousandths: number, format: 'DecimalSI' | 'BinarySI' = 'DecimalSI'): string =>
  quantityText({ unscaled: BigInt(thousandths), scale: -3, format });

async function byResource(target: Target, source: JsonObject, container: string): Promise<Result> {
  const resource = text(source, 'name');
  const wanted = objectAt(source, 'target');
  const isUsage = has(wanted, 'averageValue');
  if (!isUsage && !has(wanted, 'averageUtilization'))
    return 'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set';
  const proposal = await proposeByResource(target, source, container, isUsage);
  if (typeof proposal === 'string')
    return `failed to get ${resource} ${isUsage ? 'usage' : 'utilization'}: ${proposal}`;
  const averageValue = quantity(proposal.usage, resource === 'memory' ? 'BinarySI' : 'DecimalSI');
  const current = isUsage ? { averageValue } : { averageUtilization: proposal.utilization ?? 0, averageValue };
  const status = { name: resource, ...(container === '' ? {} : { container }), current };
  const kind = container === '' ? 'resource' : 'container resource';
  const name = isUsage ? `${resource} resource` : `${resource} ${kind} utilization (percentage of request)`;
  return { replicas: proposal.replicas, name, status };
}

async function proposeByResource(
  target: Target,
  source: JsonObject,
  container: string,
  isUsage: boolean,
): Promise<Proposal | string> {
  const resource = text(source, 'name');
  const wanted = objectAt(source, 'target');
  const samples = await target.metrics.ofResource(resource, container, target.selector);
  if (typeof samples === 'string') return `unable to get metrics for resource ${resource}: ${samples}`;
  if (isUsage) return forUsage(target, samples, milli(text(wanted, 'averageValue')), resource);
  const requests = requestsOf(target.pods, resource, container);
  if (typeof requests === 'string') return requests;
  const percent = Number(integer(wanted, 'averageUtilization'));
  return forUtilization(target, samples, { target: percent, requests, resource });
}

const metricOf = (source: JsonObject): JsonObject => {
  const metric = objectAt(source, 'metric');
  const selector = ownField(metric, 'selector');
  return { name: text(metric, 'name'), ...(selector === undefined ? {} : { selector }) };
};

function metricSelector(source: JsonObject): string {
  const selector = objectAt(objectAt(source, 'metric'), 'selector');
  return selector === undefined ? '' : selectorText(selectorFromObject(selector));
}

async function byPods(target: Target, source: JsonObject): Promise<Result> {
  const name = metricName(source);
  const samples = await target.metrics.ofPods(name, target.selector, metricSelector(source));
  if (typeof samples === 'string') return `unable to get metric ${name}: ${samples}`;
  const proposal = forUsage(target, samples, milli(text(objectAt(source, 'target'), 'averageValue')), '');
  if (typeof proposal === 'string') return proposal;
  const status = { metric: metricOf(source), current: { averageValue: quantity(proposal.usage) } };
  return { replicas: proposal.replicas, name: `pods metric ${name}`, status };
}

async function byObject(target: Target, source: JsonObject): Promise<Result> {
  const object = objectAt(source, 'describedObject') ?? {};
  const described = await target.describe(object);
  const value =
    described === undefined
      ? `no matches for kind "${text(object, 'kind')}"`
      : await target.metrics.ofObject(described, metricName(source), metricSelector(source));
  if (typeof value === 'string')
    return `unable to get metric ${metricName(source)}: ${value} on ${text(object, 'kind')} ${text(object, 'name')}`;
  const told = `${text(object, 'kind')} metric ${metricName(source)}`;
  return byOne(target, source, value, { name: told, extra: { describedObject: object } });
}

async function byExternal(target: Target, source: JsonObject): Promise<Result> {
  const value = await target.metrics.external(metricName(source), metricSelector(source));
  if (typeof value === 'string') return `unable to get external metric ${metricName(source)}: ${value}`;
  return byOne(target, source, value, { name: `external metric ${metricName(source)}`, extra: {} });
}

/** By one value, which all pods share or are to have a share of each. */
function byOne(
  target: Target,
  source: JsonObject,
  value: number,
  { name, extra }: { readonly name: string; readonly extra: JsonObject },
): Result {
  const wanted = objectAt(source, 'target');
  const isShare = has(wanted, 'averageValue');
  if (!isShare && !has(wanted, 'value'))
    return 'invalid metric source: neither a value target nor an average value target was set';
  const proposal = isShare
    ? forShare(target.tolerances, target.observed, value, milli(text(wanted, 'averageValue')))
    : forValue(target, value, milli(text(wanted, 'value')));
  if (typeof proposal === 'string') return proposal;
  const current: JsonObject = { [isShare ? 'averageValue' : 'value']: quantity(proposal.usage) };
  return { replicas: proposal.replicas, name, status: { metric: metricOf(source), ...extra, current } };
}
