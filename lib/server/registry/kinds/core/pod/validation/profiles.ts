import type { AppArmorProfile, SeccompProfile } from '#lib/api/types/core.v1.ts';
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from '#lib/machinery/validation/field.ts';
import { localDescendingPath } from './paths.ts';

const TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const PATH_MAX = 4095;

/** Upstream's validateSeccompProfileField. */
export function validateSeccompProfile(profile: SeccompProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  return [
    ...profileType(profile.type, path.child('type'), 'type is required when seccompProfile is set'),
    ...seccompLocalhost(profile, path.child('localhostProfile')),
  ];
}

function profileType(type: string, path: FieldPath, missing: string): FieldError[] {
  if (type === '') return [required(path, missing)];
  return TYPES.includes(type) ? [] : [notSupported(path, type, TYPES)];
}

function seccompLocalhost(profile: SeccompProfile, path: FieldPath): FieldError[] {
  const { type, localhostProfile: name } = profile;
  if (type !== 'Localhost') {
    if (name === undefined) return [];
    return [invalid(path, shown(profile), 'can only be set when seccomp type is Localhost')];
  }
  if (name === undefined) return [required(path, 'must be set when seccomp type is Localhost')];
  return localDescendingPath(name, path);
}

/** The profile in Go's JSON encoding of its internal type. */
function shown({ type, localhostProfile }: SeccompProfile): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ['Type', type],
    ['LocalhostProfile', localhostProfile ?? null],
  ]);
}

/** Upstream's ValidateAppArmorProfileField. */
export function validateAppArmorProfile(profile: AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile: name } = profile;
  const where = path.child('localhostProfile');
  if (type === 'Localhost') return appArmorLocalhost(name, where);
  if (!TYPES.includes(type))
    return profileType(type, path.child('type'), 'type is required when appArmorProfile is set');
  if (name === undefined) return [];
  return [invalid(where, name, 'can only be set when AppArmor type is Localhost')];
}

function appArmorLocalhost(name: string | undefined, path: FieldPath): FieldError[] {
  const missing = required(path, 'must be set when AppArmor type is Localhost');
  if (name === undefined) return [missing];
  const errors: FieldError[] = [];
  if (name.trim() !== name) errors.push(invalid(path, name, 'must not be padded with whitespace'));
  else if (name === '') errors.push(missing);
  if (Buffer.byteLength(name) > PATH_MAX) errors.push(tooLong(path, PATH_MAX));
  return errors;
}
