import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { quote } from '#lib/machinery/go.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { dns1123Label } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { VOLUME_SOURCES } from './volume-sources.ts';

/** The volumes of a pod by name: only those that are valid, as mounts of the others are errors of their own. */
export type Volumes = ReadonlyMap<string, JsonObject>;

export interface ValidatedVolumes {
  readonly volumes: Volumes;
  readonly errors: FieldError[];
}

/** `podName` is empty for templates; it names the claims that generic ephemeral volumes create. */
export function validateVolumes(
  list: readonly JsonObject[],
  podName: string,
  path: FieldPath,
  options: PodValidationOptions,
): ValidatedVolumes {
  const volumes = new Map<string, JsonObject>();
  const created = createdClaims(list, podName);
  const errors = list.flatMap((volume, i) => {
    const name = text(volume, 'name');
    const found = validateVolume(volume, podName, path.index(i), options);
    if (volumes.has(name)) found.push(duplicate(path.index(i).child('name'), name));
    if (found.length === 0) volumes.set(name, volume);
    return [...found, ...ownClaim(volume, created, path.index(i))];
  });
  return { volumes, errors };
}

function createdClaims(list: readonly JsonObject[], podName: string): Set<string> {
  if (podName === '') return new Set();
  const ephemeral = list.filter((volume) => objectAt(volume, 'ephemeral') !== undefined);
  return new Set(ephemeral.map((volume) => `${podName}-${text(volume, 'name')}`));
}

function validateVolume(
  volume: JsonObject,
  podName: string,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const name = text(volume, 'name');
  const named = name === '' ? [required(path.child('name'))] : dns1123Label(name, path.child('name'));
  return [...validateSource(volume, podName, path, options), ...named];
}

function validateSource(
  volume: JsonObject,
  podName: string,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const set = VOLUME_SOURCES.filter(({ field }) => objectAt(volume, field) !== undefined);
  if (set.length === 0) return [required(path, 'must specify a volume type')];
  return set.flatMap((source, i) => {
    const extra = source.beside?.(volume, path) ?? [];
    if (i > 0) {
      const where = path.child(source.forbiddenAs ?? source.field);
      return [forbidden(where, 'may not specify more than 1 volume type'), ...extra];
    }
    const value = objectAt(volume, source.field) as JsonObject;
    const errors = source.validate(value, path.child(source.validatedAs ?? source.field), options);
    return [...errors, ...extra, ...(source.field === 'ephemeral' ? claimName(volume, podName, path) : [])];
  });
}

/** The claim that a generic ephemeral volume creates must get a valid name. */
function claimName(volume: JsonObject, podName: string, path: FieldPath): FieldError[] {
  const name = text(volume, 'name');
  if (podName === '' || name === '') return [];
  const claim = `${podName}-${name}`;
  return nameIsDNSSubdomain(claim, false).map((message) =>
    invalid(path.child('name'), name, `PVC name ${quote(claim)}: ${message}`),
  );
}

function ownClaim(volume: JsonObject, created: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const name = text(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
  if (objectAt(volume, 'persistentVolumeClaim') === undefined || !created.has(name)) return [];
  const where = path.child('persistentVolumeClaim', 'claimName');
  return [invalid(where, name, 'must not reference a PVC that gets created for an ephemeral volume')];
}
