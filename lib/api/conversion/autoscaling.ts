import { decodeJson, encodeJson } from '#lib/machinery/json.ts';
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { decodeType } from '../codec/decode.ts';
import { typeFacts } from '../types.ts';
import { metricSpecToV1, metricSpecToV2, metricStatusToV1, metricStatusToV2 } from './metrics.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;
const ROUND_TRIP: ReadonlySet<string> = new Set([
  METRICS,
  CURRENT_METRICS,
  CONDITIONS,
  BEHAVIOR,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
]);
const DEFAULT_CPU_UTILIZATION = 80;

/** Removes the annotations in which v1 stores the fields that only v2 has. */
export function dropRoundTripAnnotations(metadata: JsonObject | undefined): JsonObject {
  const annotations = objectAt(metadata, 'annotations');
  if (annotations === undefined || !Object.keys(annotations).some((key) => ROUND_TRIP.has(key))) return metadata ?? {};
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => !ROUND_TRIP.has(key)));
  return { ...metadata, annotations: kept };
}

const cpuMetric = (averageUtilization: Json): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** The target of the v2 metric that has its own field in v1. */
function cpuUtilization(metric: Json): Json | undefined {
  const resource = isObject(metric) && metric['type'] === 'Resource' ? objectAt(metric, 'resource') : undefined;
  if (stringAt(resource, 'name') !== 'cpu') return undefined;
  return ownField(objectAt(resource, 'target') ?? objectAt(resource, 'current'), 'averageUtilization') ?? undefined;
}

const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

/** Converts autoscaling/v1 to v2. Like upstream, ignores unreadable annotations. */
export function autoscalerToV2(v1: JsonObject): JsonObject {
  const annotations = objectAt(objectAt(v1, 'metadata'), 'annotations');
  const spec = objectAt(v1, 'spec');
  const status = objectAt(v1, 'status');
  return {
    ...v1,
    metadata: dropRoundTripAnnotations(objectAt(v1, 'metadata')),
    spec: present({
      scaleTargetRef: ownField(spec, 'scaleTargetRef') ?? {},
      minReplicas: ownField(spec, 'minReplicas') ?? null,
      maxReplicas: ownField(spec, 'maxReplicas') ?? 0,
      metrics: metricsToV2(spec, annotations),
      behavior: behaviorToV2(readAnnotation(annotations, BEHAVIOR)),
    }),
    status: present({
      ...Object.fromEntries(STATUS_FIELDS.map((field) => [field, ownField(status, field) ?? null])),
      currentMetrics: currentMetricsToV2(status, annotations),
      conditions: readList(annotations, CONDITIONS, 'autoscaling.v1.HorizontalPodAutoscalerCondition') ?? null,
    }),
  };
}

const STATUS_FIELDS = ['observedGeneration', 'lastScaleTime', 'currentReplicas', 'desiredReplicas'];

/** The metrics of a v1 autoscaler. Without the field and the annotation, this is upstream's old implicit default: 80 % of the CPU. */
function metricsToV2(spec: JsonObject | undefined, annotations: JsonObject | undefined): Json[] {
  const others = readList(annotations, METRICS, 'autoscaling.v1.MetricSpec')?.map(metricSpecToV2) ?? [];
  const percentage = ownField(spec, 'targetCPUUtilizationPercentage') ?? null;
  const metrics = percentage === null ? others : [...others, cpuMetric(percentage)];
  return metrics.length === 0 ? [cpuMetric(DEFAULT_CPU_UTILIZATION)] : metrics;
}

function currentMetricsToV2(status: JsonObject | undefined, annotations: JsonObject | undefined): Json {
  const known = readList(annotations, CURRENT_METRICS, 'autoscaling.v1.MetricStatus');
  if (known !== undefined) return known.map(metricStatusToV2);
  const percentage = ownField(status, 'currentCPUUtilizationPercentage') ?? null;
  if (percentage === null) return null;
  return [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: percentage } } }];
}

function readAnnotation(annotations: JsonObject | undefined, name: string): Json | undefined {
  const text = stringAt(annotations, name);
  if (text === undefined) return undefined;
  try {
    return decodeJson(Buffer.from(text)).value;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The normalized objects of an annotation. Undefined if it is absent or unreadable. */
function readList(annotations: JsonObject | undefined, name: string, type: string): JsonObject[] | undefined {
  const value = readAnnotation(annotations, name);
  if (!Array.isArray(value)) return undefined;
  try {
    return value.map((item) => decodeType(typeFacts(type), item ?? {}).object);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** The renamed fields. Upstream writes its internal structs into this annotation, with Go's field names. */
const RULES: readonly (readonly [string, string])[] = [
  ['stabilizationWindowSeconds', 'StabilizationWindowSeconds'],
  ['selectPolicy', 'SelectPolicy'],
  ['policies', 'Policies'],
  ['tolerance', 'Tolerance'],
];
const POLICY: readonly (readonly [string, string])[] = [
  ['type', 'Type'],
  ['value', 'Value'],
  ['periodSeconds', 'PeriodSeconds'],
];

function behaviorToV2(value: Json | undefined): Json {
  if (!isObject(value)) return null;
  const scaleUp = rulesToV2(ownField(value, 'ScaleUp'));
  const scaleDown = rulesToV2(ownField(value, 'ScaleDown'));
  return scaleUp === null && scaleDown === null ? null : present({ scaleUp, scaleDown });
}

function rulesToV2(value: Json | undefined): Json {
  if (!isObject(value)) return null;
  const rules = present(Object.fromEntries(RULES.map(([name, go]) => [name, ownField(value, go) ?? null])));
  if (Array.isArray(rules['policies'])) rules['policies'] = rules['policies'].filter(isObject).map(policyToV2);
  return rules;
}

const policyToV2 = (policy: JsonObject): JsonObject =>
  present(Object.fromEntries(POLICY.map(([name, go]) => [name, ownField(policy, go) ?? null])));

function rulesToGo(value: Json | undefined): Json {
  if (!isObject(value)) return null;
  const rules = Object.fromEntries(RULES.map(([name, go]) => [go, ownField(value, name) ?? null]));
  if (Array.isArray(rules['Policies'])) rules['Policies'] = rules['Policies'].filter(isObject).map(policyToGo);
  return rules;
}

const policyToGo = (policy: JsonObject): JsonObject =>
  Object.fromEntries(POLICY.map(([name, go]) => [go, ownField(policy, name) ?? (name === 'type' ? '' : 0)]));

/** Converts autoscaling/v2 to v1. Fields that v1 lacks are stored in annotations. */
export function autoscalerToV1(v2: JsonObject): JsonObject {
  const spec = objectAt(v2, 'spec');
  const status = objectAt(v2, 'status');
  const metadata = dropRoundTripAnnotations(objectAt(v2, 'metadata'));
  const added = roundTripAnnotations(spec, status);
  const annotations = { ...objectAt(metadata, 'annotations'), ...added };
  return {
    ...v2,
    metadata: Object.keys(added).length === 0 ? metadata : { ...metadata, annotations },
    spec: present({
      scaleTargetRef: ownField(spec, 'scaleTargetRef') ?? {},
      minReplicas: ownField(spec, 'minReplicas') ?? null,
      maxReplicas: ownField(spec, 'maxReplicas') ?? 0,
      targetCPUUtilizationPercentage: arrayAt(spec, 'metrics').map(cpuUtilization).find(isGiven) ?? null,
    }),
    status: present({
      ...Object.fromEntries(STATUS_FIELDS.map((field) => [field, ownField(status, field) ?? null])),
      currentCPUUtilizationPercentage: arrayAt(status, 'currentMetrics').map(cpuUtilization).findLast(isGiven) ?? null,
    }),
  };
}

const isGiven = (value: Json | undefined): boolean => value !== undefined;

function roundTripAnnotations(spec: JsonObject | undefined, status: JsonObject | undefined): JsonObject {
  const others = arrayAt(spec, 'metrics').filter((metric) => cpuUtilization(metric) === undefined);
  const behavior = objectAt(spec, 'behavior');
  return {
    ...listAnnotation(METRICS, 'autoscaling.v1.MetricSpec', others.filter(isObject).map(metricSpecToV1)),
    ...listAnnotation(
      CURRENT_METRICS,
      'autoscaling.v1.MetricStatus',
      arrayAt(status, 'currentMetrics').filter(isObject).map(metricStatusToV1),
    ),
    ...(behavior === undefined ? {} : { [BEHAVIOR]: encodeJson(behaviorToGo(behavior)) }),
    ...listAnnotation(
      CONDITIONS,
      'autoscaling.v1.HorizontalPodAutoscalerCondition',
      arrayAt(status, 'conditions').filter(isObject),
    ),
  };
}

const behaviorToGo = (behavior: JsonObject): JsonObject => ({
  ScaleUp: rulesToGo(ownField(behavior, 'scaleUp')),
  ScaleDown: rulesToGo(ownField(behavior, 'scaleDown')),
});

function listAnnotation(name: string, type: string, items: readonly JsonObject[]): JsonObject {
  if (items.length === 0) return {};
  return { [name]: encodeJson(items.map((item) => decodeType(typeFacts(type), item).object)) };
}
