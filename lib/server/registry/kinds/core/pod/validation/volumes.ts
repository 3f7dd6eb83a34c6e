import type { Volume } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { dns1123Label } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { VOLUME_SOURCES } from './volume-sources.ts';

/** The valid volumes of a pod by name. A mount of an invalid volume is a separate error. */
export type Volumes = ReadonlyMap<string, Volume>;

/** The valid volumes of a pod and the errors of the others. */
export interface ValidatedVolumes {
  readonly volumes: Volumes;
  readonly errors: FieldError[];
}

/** Upstream's ValidateVolumes. `podName` is part of the claim names of generic ephemeral volumes, and empty for templates. */
export function validateVolumes(
  list: readonly Volume[],
  podName: string,
  path: FieldPath,
  options: PodValidationOptions,
): ValidatedVolumes {
  const volumes = new Map<string, Volume>();
  const created = createdClaims(list, podName);
  const errors = list.flatMap((volume, i) => {
    const { name } = volume;
    const found = validateVolume(volume, podName, path.index(i), options);
    if (volumes.has(name)) found.push(duplicate(path.index(i).child('name'), name));
    if (found.length === 0) volumes.set(name, volume);
    return [...found, ...ownClaim(volume, created, path.index(i))];
  });
  return { volumes, errors };
}

function createdClaims(list: readonly Volume[], podName: string): Set<string> {
  if (podName === '') return new Set();
  return new Set(list.filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`));
}

function validateVolume(volume: Volume, podName: string, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const { name } = volume;
  const named = name === '' ? [required(path.child('name'))] : dns1123Label(name, path.child('name'));
  return [...validateSource(volume, podName, path, options), ...named];
}

function validateSource(volume: Volume, podName: string, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const set = VOLUME_SOURCES.filter(({ isSet }) => isSet(volume));
  if (set.length === 0) return [required(path, 'must specify a volume type')];
  return set.flatMap(({ field, validate, forbiddenAs, beside }, i) => {
    const extra = beside?.(volume, path) ?? [];
    if (i > 0)
      return [forbidden(path.child(forbiddenAs ?? field), 'may not specify more than 1 volume type'), ...extra];
    const errors = validate(volume, path, options);
    return [...errors, ...extra, ...(field === 'ephemeral' ? claimName(volume, podName, path) : [])];
  });
}

/** The claim that a generic ephemeral volume creates must have a valid name. */
function claimName({ name }: Volume, podName: string, path: FieldPath): FieldError[] {
  if (podName === '' || name === '') return [];
  const claim = `${podName}-${name}`;
  return nameIsDNSSubdomain(claim, false).map((message) =>
    invalid(path.child('name'), name, `PVC name ${quote(claim)}: ${message}`),
  );
}

function ownClaim(
  { persistentVolumeClaim: claim }: Volume,
  created: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  if (claim === undefined || !created.has(claim.claimName)) return [];
  const where = path.child('persistentVolumeClaim', 'claimName');
  return [invalid(where, claim.claimName, 'must not reference a PVC that gets created for an ephemeral volume')];
}
