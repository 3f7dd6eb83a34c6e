import type {
  DeviceSelector,
  DeviceTaint,
  DeviceToleration,
  OpaqueDeviceConfiguration,
} from '#lib/api/types/resource.v1.ts';
import { compileSelector, MAX_COST } from '#lib/helpers/dynamic-resource-allocation/cel/compile.ts';
import { marshal } from '#lib/machinery/go.ts';
import { isObject, type Json } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { isCIdentifier } from '#lib/machinery/validation/formats.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Subdomain, isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { checked, each } from '../shared/validate.ts';

const MAX_EXPRESSION = 10_240;
const MAX_RAW = 10_240;
const MAX_POOL = 253;
const MAX_ID = 32;
const MAX_BINDINGS = 4;

/** Upstream's validateSlice: if a list is too long, its items are not validated. */
export function bounded<T>(
  list: readonly T[],
  max: number,
  path: FieldPath,
  check: (item: T, path: FieldPath) => FieldError[],
): FieldError[] {
  return list.length > max ? [tooMany(path, list.length, max)] : each(list, path, check);
}

/** Upstream's validateSet: like `bounded`, and the keys of items are unique. */
export function boundedSet<T>(
  list: readonly T[],
  max: number,
  path: FieldPath,
  keyOf: (item: T) => string,
  check: (item: T, path: FieldPath) => FieldError[],
): FieldError[] {
  const keys = list.map(keyOf);
  const again = repeatedAt(keys).map((i) => duplicate(path.index(i), keys[i]));
  return [...bounded(list, max, path, check), ...(list.length > max ? [] : again)];
}

/** Validates the selectors of devices. */
export function selectorErrors(object: { selectors?: DeviceSelector[] }, path: FieldPath): FieldError[] {
  return bounded(object.selectors ?? [], 32, path.child('selectors'), (selector, where) => {
    const cel = selector.cel;
    return cel === undefined
      ? [required(where.child('cel'))]
      : expressionErrors(cel.expression, where.child('cel', 'expression'));
  });
}

/** Does not compile an expression that is too long. */
function expressionErrors(expression: string, path: FieldPath): FieldError[] {
  if (byteLength(expression) > MAX_EXPRESSION) return [tooLong(path, MAX_EXPRESSION)];
  const selector = compileSelector(expression);
  if ('error' in selector) return [invalid(path, expression, selector.error)];
  return selector.maxCost > MAX_COST ? [forbidden(path, 'too complex, exceeds cost limit')] : [];
}

/** Validates a configuration that only its driver reads. */
export function opaqueErrors(config: { opaque?: OpaqueDeviceConfiguration }, path: FieldPath): FieldError[] {
  const opaque = config.opaque;
  const where = path.child('opaque');
  if (opaque === undefined) return [required(where)];
  return [
    ...validateCSIDriverName(opaque.driver, where.child('driver')),
    ...rawErrors(opaque.parameters, where.child('parameters')),
  ];
}

/** Validates that a value is a JSON object of limited size. */
export function rawErrors(value: Json | undefined, path: FieldPath): FieldError[] {
  if (value === undefined || value === null) return [required(path)];
  if (byteLength(marshal(value)) > MAX_RAW) return [tooLong(path, MAX_RAW)];
  return isObject(value) ? [] : [invalid(path, '<value omitted>', 'must be a valid JSON object')];
}

/** Validates the name of an attribute or a capacity: `name` or `domain/name`. Upstream accepts more slashes. */
export function qualifiedDeviceName(name: string, path: FieldPath): FieldError[] {
  const [first = '', second, ...more] = name.split('/');
  if (more.length > 0) return [];
  if (second === undefined) return identifierErrors(first, path);
  return [
    ...(first === '' ? [invalid(path, '', 'the domain must not be empty')] : validateCSIDriverName(first, path)),
    ...(second === '' ? [invalid(path, '', 'the name must not be empty')] : identifierErrors(second, path)),
  ];
}

/** Validates a name that requires a domain. */
export function fullyQualifiedDeviceName(name: string, path: FieldPath): FieldError[] {
  const message = 'a fully qualified name must be a domain and a name separated by a slash';
  return [...qualifiedDeviceName(name, path), ...(name.includes('/') ? [] : [invalid(path, name, message)])];
}

function identifierErrors(name: string, path: FieldPath): FieldError[] {
  return [...(byteLength(name) > MAX_ID ? [tooLong(path, MAX_ID)] : []), ...checked(name, path, isCIdentifier)];
}

/** Validates a pool's name: DNS subdomains separated by slashes. */
export function poolNameErrors(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(byteLength(name) > MAX_POOL ? [tooLong(path, MAX_POOL)] : []),
    ...name.split('/').flatMap((part) => checked(part, path, isDNS1123Subdomain)),
  ];
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];
const OPERATORS = ['Equal', 'Exists'];

/** Upstream's validateDeviceTaint. */
export function taintErrors(taint: DeviceTaint, path: FieldPath): FieldError[] {
  const [value, effect] = [taint.value ?? '', taint.effect];
  const known = EFFECTS.includes(effect) ? [] : [notSupported(path.child('effect'), effect, EFFECTS)];
  return [
    ...validateLabelName(taint.key, path.child('key')),
    ...(value === '' ? [] : checked(value, path.child('value'), isValidLabelValue)),
    ...(effect === '' ? [required(path.child('effect'))] : known),
  ];
}

/** Upstream's validateDeviceToleration. */
export function tolerationErrors(toleration: DeviceToleration, path: FieldPath): FieldError[] {
  const [key, value, effect] = [toleration.key ?? '', toleration.value ?? '', toleration.effect ?? ''];
  return [
    ...(key === '' ? [] : validateLabelName(key, path.child('key'))),
    ...operatorErrors(toleration.operator ?? '', value, path),
    ...(effect === '' || EFFECTS.includes(effect) ? [] : [notSupported(path.child('effect'), effect, EFFECTS)]),
  ];
}

function operatorErrors(operator: string, value: string, path: FieldPath): FieldError[] {
  const where = path.child('value');
  if (operator === '') return [required(path.child('operator'))];
  if (operator === 'Equal') return checked(value, where, isValidLabelValue);
  if (operator !== 'Exists') return [notSupported(path.child('operator'), operator, OPERATORS)];
  return value === '' ? [] : [invalid(where, value, 'must be empty for operator `Exists`')];
}

interface Binding {
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
}

/** Validates the conditions that a pod waits for before it uses a device, and those that mean failure. */
export function bindingErrors(object: Binding, path: FieldPath): FieldError[] {
  const [good, bad] = [object.bindingConditions ?? [], object.bindingFailureConditions ?? []];
  const [goodAt, badAt] = [path.child('bindingConditions'), path.child('bindingFailureConditions')];
  const overlap = 'bindingFailureConditions must not overlap with bindingConditions';
  const repeated = (list: readonly string[], where: FieldPath): FieldError[] =>
    repeatedAt(list).map((i) => duplicate(where.index(i), list[i]));
  return [
    ...bounded(good, MAX_BINDINGS, goodAt, validateLabelName),
    ...bounded(bad, MAX_BINDINGS, badAt, validateLabelName),
    ...repeated(good, goodAt),
    ...repeated(bad, badAt),
    ...bad.flatMap((name, i) => (good.includes(name) ? [invalid(badAt.index(i), name, overlap)] : [])),
    ...(good.length === 0 && bad.length > 0
      ? [invalid(goodAt, null, 'bindingConditions are required to use bindingFailureConditions')]
      : []),
    ...(bad.length === 0 && good.length > 0
      ? [invalid(badAt, null, 'bindingFailureConditions are required to use bindingConditions')]
      : []),
  ];
}
