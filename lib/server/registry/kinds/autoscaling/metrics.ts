import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '#lib/api/types/autoscaling.v2.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { validateContainerResourceName } from '../core/resource-name.ts';
import { checked, dns1123Label } from '../shared/validate.ts';
import { type ReferenceOptions, validateReference } from './reference.ts';

/** The sources in upstream's order. Only the first one set is validated. */
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
type Source = (typeof SOURCES)[number];
const TYPES: Readonly<Record<string, Source>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const NAMES = Object.keys(TYPES);

/** Upstream's validateMetricSpec: the source must match the type and be the only one. */
export function validateMetric(metric: MetricSpec, path: FieldPath, options: ReferenceOptions): FieldError[] {
  const type = metric.type;
  const expected = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const present = SOURCES.filter((source) => metric[source] !== undefined);
  const unknown = expected === undefined ? [notSupported(path.child('type'), type, NAMES)] : [];
  const others = present.length === 1 ? [] : present.filter((source) => source !== expected).sort();
  return [
    ...(type === '' ? [required(path.child('type'), 'must specify a metric source type')] : []),
    ...unknown,
    ...sourceErrors(metric, path, options),
    ...(expected !== undefined && metric[expected] === undefined
      ? [required(path.child(expected), 'must populate information for the given metric source')]
      : []),
    ...unknown,
    ...others.map((source) => forbidden(path.child(source), 'must populate the given metric source only')),
  ];
}

function sourceErrors(spec: MetricSpec, path: FieldPath, options: ReferenceOptions): FieldError[] {
  const { object, external, pods, resource, containerResource } = spec;
  if (object !== undefined) {
    const where = path.child('object');
    return [
      ...validateReference(object.describedObject, where.child('describedObject'), options),
      ...metricErrors('object', object, where),
    ];
  }
  if (external !== undefined) return metricErrors('external', external, path.child('external'));
  if (pods !== undefined) return metricErrors('pods', pods, path.child('pods'));
  if (resource !== undefined) return resourceErrors(resource, path.child('resource'));
  return containerResource === undefined ? [] : containerErrors(containerResource, path.child('containerResource'));
}

type NamedSource = ObjectMetricSource | ExternalMetricSource | PodsMetricSource;

function metricErrors(source: Source, { metric: { name }, target }: NamedSource, path: FieldPath): FieldError[] {
  const where = path.child('metric', 'name');
  return [
    ...(name === '' ? [required(where, 'must specify a metric name')] : []),
    ...(name === '' ? [] : checked(name, where, (value) => pathSegmentName(value, false))),
    ...targetErrors(source, target, path.child('target')),
  ];
}

const nameRequired = (name: string, path: FieldPath): FieldError[] =>
  name === '' ? [required(path.child('name'), 'must specify a resource name')] : [];

const resourceErrors = ({ name, target }: ResourceMetricSource, path: FieldPath): FieldError[] => [
  ...nameRequired(name, path),
  ...targetErrors('resource', target, path.child('target')),
];

function containerErrors({ name, container, target }: ContainerResourceMetricSource, path: FieldPath): FieldError[] {
  const where = path.child('container');
  return [
    ...nameRequired(name, path),
    ...(name === '' ? [] : validateContainerResourceName(name, path.child('name'))),
    ...(container === '' ? [required(where, 'must specify a container')] : dns1123Label(container, where)),
    ...targetErrors('containerResource', target, path.child('target')),
  ];
}

function targetErrors(source: Source, target: MetricTarget, path: FieldPath): FieldError[] {
  const type = target.type;
  const known = ['Utilization', 'Value', 'AverageValue'].includes(type);
  const utilization = target.averageUtilization ?? 0;
  return [
    ...(type === '' ? [required(path.child('type'), 'must specify a metric target type')] : []),
    ...(known ? [] : [invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive(target, 'value', path),
    ...positive(target, 'averageValue', path),
    ...(target.averageUtilization !== undefined && utilization < 1
      ? [invalid(path.child('averageUtilization'), utilization, 'must be greater than 0')]
      : []),
    ...VALUES[source](target, path),
  ];
}

function positive(target: MetricTarget, field: 'value' | 'averageValue', path: FieldPath): FieldError[] {
  const value = target[field];
  if (value === undefined || signOf(value) > 0) return [];
  return [invalid(path.child(field), canonicalQuantity(value), 'must be positive')];
}

type TargetRule = (target: MetricTarget, path: FieldPath) => FieldError[];

const utilizationOrValue: TargetRule = (target, path) => {
  const [share, amount] = [target.averageUtilization !== undefined, target.averageValue !== undefined];
  if (share && amount) {
    return [forbidden(path.child('averageValue'), 'may not set both a target raw value and a target utilization')];
  }
  if (share || amount) return [];
  return [required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization')];
};

/** The target values that each source requires. */
const VALUES: Readonly<Record<Source, TargetRule>> = {
  object: (target, path) =>
    target.value !== undefined || target.averageValue !== undefined
      ? []
      : [required(path.child('averageValue'), 'must set either a target value or averageValue')],
  external: (target, path) => {
    const [value, average] = [target.value !== undefined, target.averageValue !== undefined];
    if (value && average) {
      return [forbidden(path.child('value'), 'may not set both a target value for metric and a per-pod target')];
    }
    if (value || average) return [];
    return [required(path.child('averageValue'), 'must set either a target value for metric or a per-pod target')];
  },
  pods: (target, path) =>
    target.averageValue !== undefined
      ? []
      : [required(path.child('averageValue'), 'must specify a positive target averageValue')],
  resource: utilizationOrValue,
  containerResource: utilizationOrValue,
};
