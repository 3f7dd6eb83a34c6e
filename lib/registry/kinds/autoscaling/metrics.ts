import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, text } from '#lib/machinery/unstructured.ts';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { validateContainerResourceName } from '../core/resource-name.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import { checked, dns1123Label } from '../shared/validate.ts';
import { validateReference, type ReferenceOptions } from './reference.ts';

/** In upstream's order, in which the first that is set is looked into. */
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

/** Upstream's validateMetricSpec: the source that the type names, and no other. */
export function validateMetric(metric: JsonObject, path: FieldPath, options: ReferenceOptions): FieldError[] {
  const type = text(metric, 'type');
  const expected = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const present = SOURCES.filter((source) => has(metric, source));
  const [first] = present;
  const unknown = expected === undefined ? [notSupported(path.child('type'), type, NAMES)] : [];
  const others = present.length === 1 ? [] : present.filter((source) => source !== expected).sort();
  return [
    ...(type === '' ? [required(path.child('type'), 'must specify a metric source type')] : []),
    ...unknown,
    ...(first === undefined ? [] : sourceErrors(first, objectAt(metric, first) ?? {}, path.child(first), options)),
    ...(expected !== undefined && !has(metric, expected)
      ? [required(path.child(expected), 'must populate information for the given metric source')]
      : []),
    ...unknown,
    ...others.map((source) => forbidden(path.child(source), 'must populate the given metric source only')),
  ];
}

function sourceErrors(source: Source, metric: JsonObject, path: FieldPath, options: ReferenceOptions): FieldError[] {
  const target = objectAt(metric, 'target') ?? {};
  const where = path.child('target');
  return [
    ...(source === 'object'
      ? validateReference(objectAt(metric, 'describedObject'), path.child('describedObject'), options)
      : []),
    ...(source === 'resource' || source === 'containerResource'
      ? resourceErrors(source, metric, path)
      : metricName(metric, path.child('metric', 'name'))),
    ...targetErrors(target, where),
    ...VALUES[source](target, where),
  ];
}

function metricName(metric: JsonObject, path: FieldPath): FieldError[] {
  const name = text(objectAt(metric, 'metric'), 'name');
  if (name === '') return [required(path, 'must specify a metric name')];
  return checked(name, path, (value) => pathSegmentName(value, false));
}

function resourceErrors(source: Source, metric: JsonObject, path: FieldPath): FieldError[] {
  const [name, container] = [text(metric, 'name'), text(metric, 'container')];
  const errors = name === '' ? [required(path.child('name'), 'must specify a resource name')] : [];
  if (source === 'resource') return errors;
  const where = path.child('container');
  return [
    ...errors,
    ...(name === '' ? [] : validateContainerResourceName(name, path.child('name'))),
    ...(container === '' ? [required(where, 'must specify a container')] : dns1123Label(container, where)),
  ];
}

function targetErrors(target: JsonObject, path: FieldPath): FieldError[] {
  const type = text(target, 'type');
  const known = ['Utilization', 'Value', 'AverageValue'].includes(type);
  const utilization = count(target, 'averageUtilization');
  return [
    ...(type === '' ? [required(path.child('type'), 'must specify a metric target type')] : []),
    ...(known ? [] : [invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive(target, 'value', path),
    ...positive(target, 'averageValue', path),
    ...(has(target, 'averageUtilization') && utilization < 1
      ? [invalid(path.child('averageUtilization'), utilization, 'must be greater than 0')]
      : []),
  ];
}

function positive(target: JsonObject, field: string, path: FieldPath): FieldError[] {
  const value = ownField(target, field);
  if (value === undefined || value === null || signOf(value) > 0) return [];
  return [invalid(path.child(field), canonicalQuantity(value), 'must be positive')];
}

type TargetRule = (target: JsonObject, path: FieldPath) => FieldError[];

const utilizationOrValue: TargetRule = (target, path) => {
  const [share, amount] = [has(target, 'averageUtilization'), has(target, 'averageValue')];
  if (share && amount) {
    return [forbidden(path.child('averageValue'), 'may not set both a target raw value and a target utilization')];
  }
  if (share || amount) return [];
  return [required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization')];
};

/** Which of a target's values each source needs. */
const VALUES: Readonly<Record<Source, TargetRule>> = {
  object: (target, path) =>
    has(target, 'value') || has(target, 'averageValue')
      ? []
      : [required(path.child('averageValue'), 'must set either a target value or averageValue')],
  external: (target, path) => {
    const [value, average] = [has(target, 'value'), has(target, 'averageValue')];
    if (value && average) {
      return [forbidden(path.child('value'), 'may not set both a target value for metric and a per-pod target')];
    }
    if (value || average) return [];
    return [required(path.child('averageValue'), 'must set either a target value for metric or a per-pod target')];
  },
  pods: (target, path) =>
    has(target, 'averageValue')
      ? []
      : [required(path.child('averageValue'), 'must specify a positive target averageValue')],
  resource: utilizationOrValue,
  containerResource: utilizationOrValue,
};
