import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, items, text, texts, unlessText } from '#lib/machinery/unstructured.ts';
import { invalid, notSupported, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { NOT_POSITIVE, checked, each } from '../shared/validate.ts';
import {
  bounded,
  boundedSet,
  fullyQualifiedDeviceName,
  opaqueErrors,
  selectorErrors,
  tolerationErrors,
} from './shared.ts';

const MAX_REQUESTS = 32;
const MAX_ALTERNATIVES = 8;

/** Upstream's SetDefaults of device requests: one device each. */
export function defaultClaimSpec(spec: JsonObject | undefined): void {
  for (const request of items(objectAt(spec, 'devices'), 'requests')) {
    const exactly = objectAt(request, 'exactly');
    for (const one of [...(exactly === undefined ? [] : [exactly]), ...items(request, 'firstAvailable')]) {
      unlessText(one, 'allocationMode', 'ExactCount');
      if (text(one, 'allocationMode') === 'ExactCount' && Number(count(one, 'count')) === 0) one['count'] = 1;
    }
  }
}

/** Upstream's validateResourceClaimSpec. */
export function validateClaimSpec(spec: JsonObject | undefined, path: FieldPath): FieldError[] {
  const devices = objectAt(spec, 'devices');
  const where = path.child('devices');
  const names = requestNames(devices);
  return [
    ...boundedSet(items(devices, 'requests'), MAX_REQUESTS, where.child('requests'), nameOf, requestErrors),
    ...bounded(items(devices, 'constraints'), 32, where.child('constraints'), (one, at) =>
      constraintErrors(one, at, names),
    ),
    ...bounded(items(devices, 'config'), 32, where.child('config'), (config, at) => [
      ...referenceErrors(texts(config, 'requests'), at.child('requests'), names),
      ...opaqueErrors(config, at),
    ]),
  ];
}

const nameOf = (object: JsonObject): string => text(object, 'name');

/** Requests by name, and `request/alternative`. */
export function requestNames(devices: JsonObject | undefined): ReadonlySet<string> {
  return new Set(
    items(devices, 'requests').flatMap((request) => [
      nameOf(request),
      ...items(request, 'firstAvailable').map((one) => `${nameOf(request)}/${nameOf(one)}`),
    ]),
  );
}

function requestErrors(request: JsonObject, path: FieldPath): FieldError[] {
  const exactly = objectAt(request, 'exactly');
  const alternatives = items(request, 'firstAvailable');
  const one = 'exactly one of `exactly` or `firstAvailable` is required';
  const errors = checked(nameOf(request), path.child('name'), isDNS1123Label);
  if (exactly !== undefined && alternatives.length > 0) {
    return [...errors, invalid(path, null, `${one}, but multiple fields are set`)];
  }
  if (exactly !== undefined) return [...errors, ...deviceErrors(exactly, path.child('exactly'))];
  if (alternatives.length === 0) return [...errors, required(path, one)];
  const where = path.child('firstAvailable');
  return [
    ...errors,
    ...boundedSet(alternatives, MAX_ALTERNATIVES, where, nameOf, (alternative, at) => [
      ...checked(nameOf(alternative), at.child('name'), isDNS1123Label),
      ...deviceErrors(alternative, at),
    ]),
  ];
}

function deviceErrors(request: JsonObject, path: FieldPath): FieldError[] {
  const className = text(request, 'deviceClassName');
  const where = path.child('deviceClassName');
  return [
    ...(className === '' ? [required(where)] : checked(className, where, isDNS1123Subdomain)),
    ...selectorErrors(request, path),
    ...allocationMode(request, path),
    ...each(items(request, 'tolerations'), path.child('tolerations'), tolerationErrors),
  ];
}

function allocationMode(request: JsonObject, path: FieldPath): FieldError[] {
  const mode = text(request, 'allocationMode');
  const number = count(request, 'count');
  if (mode === 'ExactCount') return number > 0 ? [] : [invalid(path.child('count'), number, NOT_POSITIVE)];
  if (mode !== 'All') return [notSupported(path.child('allocationMode'), mode, ['All', 'ExactCount'])];
  if (Number(number) === 0) return [];
  return [invalid(path.child('count'), number, "must not be specified when allocationMode is 'All'")];
}

function constraintErrors(constraint: JsonObject, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const errors = referenceErrors(texts(constraint, 'requests'), path.child('requests'), names);
  for (const field of ['matchAttribute', 'distinctAttribute']) {
    if (has(constraint, field)) {
      return [...errors, ...fullyQualifiedDeviceName(text(constraint, field), path.child(field))];
    }
  }
  const one = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [...errors, required(path, one)];
}

const NOT_A_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function referenceErrors(refs: readonly string[], path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  return boundedSet(
    refs,
    MAX_REQUESTS,
    path,
    (name) => name,
    (name, where) => referenceError(name, where, names),
  );
}

/** A request's name, or one with its alternative behind a slash. */
export function referenceError(name: string, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const parts = name.split('/');
  const unknown = [invalid(path, name, NOT_A_REQUEST)];
  if (parts.length > 2) return unknown;
  return [...parts.flatMap((part) => checked(part, path, isDNS1123Label)), ...(names.has(name) ? [] : unknown)];
}
