import { ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import {
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { localDescendingPath } from './paths.ts';

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const PATH_MAX = 4095;

export function validateSeccompProfile(profile: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const type = text(profile, 'type');
  return [
    ...profileType(type, path.child('type'), 'type is required when seccompProfile is set'),
    ...seccompLocalhost(profile, type, path.child('localhostProfile')),
  ];
}

function profileType(type: string, path: FieldPath, missing: string): FieldError[] {
  if (type === '') return [required(path, missing)];
  return TYPES.includes(type) ? [] : [notSupported(path, type, TYPES)];
}

function seccompLocalhost(profile: JsonObject, type: string, path: FieldPath): FieldError[] {
  const name = stringAt(profile, 'localhostProfile');
  if (type !== 'Localhost') {
    if (name === undefined) return [];
    return [invalid(path, shown(profile, type), 'can only be set when seccomp type is Localhost')];
  }
  if (name === undefined) return [required(path, 'must be set when seccomp type is Localhost')];
  return localDescendingPath(name, path);
}

/** As Go's JSON has the profile's internal type. */
function shown(profile: JsonObject, type: string): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Type', type],
    ['LocalhostProfile', ownField(profile, 'localhostProfile') ?? null],
  ]);
}

export function validateAppArmorProfile(profile: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const type = text(profile, 'type');
  const where = path.child('localhostProfile');
  if (type === 'Localhost') return appArmorLocalhost(profile, where);
  if (!TYPES.includes(type))
    return profileType(type, path.child('type'), 'type is required when appArmorProfile is set');
  if (!has(profile, 'localhostProfile')) return [];
  return [invalid(where, text(profile, 'localhostProfile'), 'can only be set when AppArmor type is Localhost')];
}

function appArmorLocalhost(profile: JsonObject, path: FieldPath): FieldError[] {
  const name = text(profile, 'localhostProfile');
  const missing = required(path, 'must be set when AppArmor type is Localhost');
  if (!has(profile, 'localhostProfile')) return [missing];
  const errors: FieldError[] = [];
  if (name.trim() !== name) errors.push(invalid(path, name, 'must not be padded with whitespace'));
  else if (name === '') errors.push(missing);
  if (Buffer.byteLength(name) > PATH_MAX) errors.push(tooLong(path, PATH_MAX));
  return errors;
}
