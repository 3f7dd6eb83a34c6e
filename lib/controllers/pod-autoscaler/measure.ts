import type {
  CrossVersionObjectReference,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
} from '#lib/api/types/autoscaling.v2.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { selectorFromObject, selectorText } from '#lib/machinery/labels/selector.ts';
import { parseQuantity, quantityMilliValue, quantityText } from '#lib/machinery/resource/quantity.ts';
import { goSelector } from '#lib/server/registry/kinds/shared/go-selector.ts';
import { requestsOf } from './pods.ts';
import { forShare, forUsage, forUtilization, forValue, type Proposal, type Workload } from './replicas.ts';
import type { Metrics } from './samples.ts';

/** The number of replicas that one metric of an autoscaler proposes. */
export interface Measured {
  readonly replicas: number;
  /** The metric's name in conditions. */
  readonly name: string;
  readonly status: MetricStatus;
}

/** A metric that could not be read. */
export interface Failed {
  readonly reason: string;
  /** The message of the condition and the event. */
  readonly why: string;
  /** The message in the summary of all metrics. */
  readonly message: string;
}

/** The scaled pods, and the ports that measure them. */
export interface Target extends Workload {
  readonly namespace: string;
  readonly metrics: Metrics;
  /** The scale's selector. */
  readonly selector: string;
  /** The number of existing replicas. `replicas` is the wanted number. */
  readonly observed: number;
  /**
   * `resource.group/name` of the object that a metric describes, as the custom metrics API names it. Undefined if its kind is not served.
   */
  describe(object: CrossVersionObjectReference): Promise<string | undefined>;
}

/** A measurement with its part `S` of the status, or the reason why there is none. */
type Result<S> = { readonly replicas: number; readonly name: string; readonly status: S } | string;

/** Measures one metric of the spec. */
export async function measure(target: Target, spec: MetricSpec): Promise<Measured | Failed> {
  const kind = kindOf(spec);
  const unknown = `unknown metric source type "${spec.type}"`;
  if (kind === undefined) return { reason: 'InvalidMetricSourceType', why: unknown, message: unknown };
  const found = await kind.measure(target).catch(told);
  if (typeof found !== 'string') return { ...found, status: { type: spec.type, ...found.status } };
  return { reason: kind.reason, why: found, message: `failed to get ${kind.called}: ${found}` };
}

/** The message for an invalid selector that the server rejected. */
function told(error: unknown): string {
  if (error instanceof StatusError) return error.message;
  throw error;
}

interface Kind {
  readonly reason: string;
  /** The metric's name in messages. */
  readonly called: string;
  measure(target: Target): Promise<Result<Omit<MetricStatus, 'type'>>>;
}

/** The kind of a metric. Undefined if its type is unknown. The API rejects a metric without the source of its type. */
function kindOf({ type, resource, containerResource, pods, object, external }: MetricSpec): Kind | undefined {
  switch (type) {
    case 'Resource':
      return (
        resource && {
          reason: 'FailedGetResourceMetric',
          called: `${resource.name} resource metric value`,
          measure: async (target) =>
            inField(await byResource(target, resource, ''), (status) => ({ resource: status })),
        }
      );
    case 'ContainerResource':
      return (
        containerResource && {
          reason: 'FailedGetContainerResourceMetric',
          called: `${containerResource.container} container metric value`,
          async measure(target) {
            const { container } = containerResource;
            const found = await byResource(target, containerResource, container);
            return inField(found, (status) => ({ containerResource: { ...status, container } }));
          },
        }
      );
    case 'Pods':
      return (
        pods && {
          reason: 'FailedGetPodsMetric',
          called: 'pods metric value',
          measure: async (target) => inField(await byPods(target, pods), (status) => ({ pods: status })),
        }
      );
    case 'Object':
      return (
        object && {
          reason: 'FailedGetObjectMetric',
          called: 'object metric value',
          async measure(target) {
            const { describedObject } = object;
            return inField(await byObject(target, object), (status) => ({ object: { ...status, describedObject } }));
          },
        }
      );
    case 'External':
      return (
        external && {
          reason: 'FailedGetExternalMetric',
          called: `${external.metric.name} external metric value`,
          measure: async (target) => inField(await byExternal(target, external), (status) => ({ external: status })),
        }
      );
    default:
      return undefined;
  }
}

const inField = <S>(
  found: Result<S>,
  field: (status: S) => Omit<MetricStatus, 'type'>,
): Result<Omit<MetricStatus, 'type'>> =>
  typeof found === 'string' ? found : { ...found, status: field(found.status) };

const milli = (value: string): number => Number(quantityMilliValue(parseQuantity(value)));
const quantity = (thousandths: number, format: 'DecimalSI' | 'BinarySI' = 'DecimalSI'): string =>
  quantityText({ unscaled: BigInt(thousandths), scale: -3, format });

interface ResourceSource {
  readonly name: string;
  readonly target: MetricTarget;
}

async function byResource(
  target: Target,
  source: ResourceSource,
  container: string,
): Promise<Result<{ name: string; current: MetricValueStatus }>> {
  const { name: resource, target: wanted } = source;
  const isUsage = wanted.averageValue !== undefined;
  if (!isUsage && wanted.averageUtilization === undefined)
    return 'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set';
  const proposal = await proposeByResource(target, source, container);
  if (typeof proposal === 'string')
    return `failed to get ${resource} ${isUsage ? 'usage' : 'utilization'}: ${proposal}`;
  const averageValue = quantity(proposal.usage, resource === 'memory' ? 'BinarySI' : 'DecimalSI');
  const current = isUsage ? { averageValue } : { averageUtilization: proposal.utilization ?? 0, averageValue };
  const kind = container === '' ? 'resource' : 'container resource';
  const name = isUsage ? `${resource} resource` : `${resource} ${kind} utilization (percentage of request)`;
  return { replicas: proposal.replicas, name, status: { name: resource, current } };
}

async function proposeByResource(
  target: Target,
  { name: resource, target: { averageValue, averageUtilization = 0 } }: ResourceSource,
  container: string,
): Promise<Proposal | string> {
  const samples = await target.metrics.ofResource(resource, container, target.selector);
  if (typeof samples === 'string') return `unable to get metrics for resource ${resource}: ${samples}`;
  if (averageValue !== undefined) return forUsage(target, samples, milli(averageValue), resource);
  const requests = requestsOf(target.pods, resource, container);
  if (typeof requests === 'string') return requests;
  return forUtilization(target, samples, { target: averageUtilization, requests, resource });
}

const metricSelector = ({ selector }: MetricIdentifier): string =>
  selector === undefined ? '' : selectorText(selectorFromObject(selector));

/** The status of a metric that is not a resource metric. */
interface Read {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}

async function byPods(target: Target, { metric, target: wanted }: PodsMetricSource): Promise<Result<Read>> {
  const { name } = metric;
  const samples = await target.metrics.ofPods(name, target.selector, metricSelector(metric));
  if (typeof samples === 'string') return `unable to get metric ${name}: ${samples}`;
  const proposal = forUsage(target, samples, milli(wanted.averageValue ?? ''), '');
  if (typeof proposal === 'string') return proposal;
  const status = { metric, current: { averageValue: quantity(proposal.usage) } };
  return { replicas: proposal.replicas, name: `pods metric ${name}`, status };
}

async function byObject(target: Target, source: ObjectMetricSource): Promise<Result<Read>> {
  const { metric, describedObject } = source;
  const { kind, name } = describedObject;
  const described = await target.describe(describedObject);
  const value =
    described === undefined
      ? `no matches for kind "${kind}"`
      : await target.metrics.ofObject(described, metric.name, metricSelector(metric));
  if (typeof value === 'string') {
    // Upstream formats the namespace and the error in each other's places.
    return `unable to get metric ${metric.name}: ${kind} on ${target.namespace} ${name}/${value}`;
  }
  return byOne(target, source, value, `${kind} metric ${metric.name}`);
}

async function byExternal(target: Target, source: ExternalMetricSource): Promise<Result<Read>> {
  const { metric } = source;
  const value = await target.metrics.external(metric.name, metricSelector(metric));
  const selector = metric.selector === undefined ? 'nil' : goSelector(metric.selector);
  if (typeof value === 'string')
    return `unable to get external metric ${target.namespace}/${metric.name}/${selector}: ${value}`;
  return byOne(target, source, value, `external metric ${metric.name}`);
}

/** Measures one value: the total for all pods, or the average per pod. */
function byOne(
  target: Target,
  { metric, target: wanted }: ObjectMetricSource | ExternalMetricSource,
  value: number,
  name: string,
): Result<Read> {
  const { averageValue, value: whole } = wanted;
  if (averageValue !== undefined) {
    const { replicas, usage } = forShare(target.tolerances, target.observed, value, milli(averageValue));
    return { replicas, name, status: { metric, current: { averageValue: quantity(usage) } } };
  }
  if (whole === undefined) return 'invalid metric source: neither a value target nor an average value target was set';
  const proposal = forValue(target, value, milli(whole));
  if (typeof proposal === 'string') return proposal;
  return { replicas: proposal.replicas, name, status: { metric, current: { value: quantity(proposal.usage) } } };
}
