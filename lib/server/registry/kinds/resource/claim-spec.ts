import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
} from '#lib/api/types/resource.v1.ts';
import { type FieldError, type FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked, each, NOT_POSITIVE } from '../shared/validate.ts';
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

/** Upstream's SetDefaults for device requests: one device each. */
export function defaultClaimSpec({ devices }: ResourceClaimSpec): void {
  for (const request of devices.requests ?? []) {
    const exactly = request.exactly;
    for (const one of [...(exactly === undefined ? [] : [exactly]), ...(request.firstAvailable ?? [])]) {
      one.allocationMode ||= 'ExactCount';
      if ((one.allocationMode ?? '') === 'ExactCount' && Number(one.count ?? 0) === 0) one.count = 1;
    }
  }
}

/** Upstream's validateResourceClaimSpec. */
export function validateClaimSpec({ devices }: ResourceClaimSpec, path: FieldPath): FieldError[] {
  const where = path.child('devices');
  const names = requestNames(devices);
  return [
    ...boundedSet(devices.requests ?? [], MAX_REQUESTS, where.child('requests'), nameOf, requestErrors),
    ...bounded(devices.constraints ?? [], 32, where.child('constraints'), (one, at) =>
      constraintErrors(one, at, names),
    ),
    ...bounded(devices.config ?? [], 32, where.child('config'), (config, at) => [
      ...referenceErrors(config.requests ?? [], at.child('requests'), names),
      ...opaqueErrors(config, at),
    ]),
  ];
}

const nameOf = ({ name }: { name: string }): string => name;

/** The names of all requests, and `request/alternative` for their alternatives. */
export function requestNames(devices: DeviceClaim): ReadonlySet<string> {
  return new Set(
    (devices.requests ?? []).flatMap((request) => [
      nameOf(request),
      ...(request.firstAvailable ?? []).map((one) => `${nameOf(request)}/${nameOf(one)}`),
    ]),
  );
}

function requestErrors(request: DeviceRequest, path: FieldPath): FieldError[] {
  const exactly = request.exactly;
  const alternatives = request.firstAvailable ?? [];
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

function deviceErrors(request: ExactDeviceRequest | DeviceSubRequest, path: FieldPath): FieldError[] {
  const className = request.deviceClassName;
  const where = path.child('deviceClassName');
  return [
    ...(className === '' ? [required(where)] : checked(className, where, isDNS1123Subdomain)),
    ...selectorErrors(request, path),
    ...allocationMode(request, path),
    ...each(request.tolerations ?? [], path.child('tolerations'), tolerationErrors),
  ];
}

function allocationMode(request: ExactDeviceRequest | DeviceSubRequest, path: FieldPath): FieldError[] {
  const mode = request.allocationMode ?? '';
  const number = request.count ?? 0;
  if (mode === 'ExactCount') return number > 0 ? [] : [invalid(path.child('count'), number, NOT_POSITIVE)];
  if (mode !== 'All') return [notSupported(path.child('allocationMode'), mode, ['All', 'ExactCount'])];
  if (Number(number) === 0) return [];
  return [invalid(path.child('count'), number, "must not be specified when allocationMode is 'All'")];
}

function constraintErrors(constraint: DeviceConstraint, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const errors = referenceErrors(constraint.requests ?? [], path.child('requests'), names);
  for (const field of ['matchAttribute', 'distinctAttribute'] as const) {
    const name = constraint[field];
    if (name !== undefined) return [...errors, ...fullyQualifiedDeviceName(name, path.child(field))];
  }
  const one = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
  return [...errors, required(path, one)];
}

const NOT_A_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** Validates a list of references to requests. `names` are the names in the claim. */
export function referenceErrors(refs: readonly string[], path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  return boundedSet(
    refs,
    MAX_REQUESTS,
    path,
    (name) => name,
    (name, where) => referenceError(name, where, names),
  );
}

/** Validates a request's name, or `request/alternative`. */
export function referenceError(name: string, path: FieldPath, names: ReadonlySet<string>): FieldError[] {
  const parts = name.split('/');
  const unknown = [invalid(path, name, NOT_A_REQUEST)];
  if (parts.length > 2) return unknown;
  return [...parts.flatMap((part) => checked(part, path, isDNS1123Label)), ...(names.has(name) ? [] : unknown)];
}
