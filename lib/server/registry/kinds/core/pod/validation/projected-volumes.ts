import type {
  ConfigMapProjection,
  DownwardAPIProjection,
  ProjectedVolumeSource,
  SecretProjection,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden, invalid, required } from '#lib/machinery/validation/field.ts';
import { each } from '../../../shared/validate.ts';
import { alternativesOf } from './alternatives.ts';
import type { PodValidationOptions } from './options.ts';
import { localNonReservedPath } from './paths.ts';
import { validateClusterTrustBundle, validatePodCertificate } from './projected-certificates.ts';
import type { Projection } from './projection.ts';
import { fileMode, validateDownwardAPIFile, validateKeyToPath } from './volume-files.ts';

const source = alternativesOf<VolumeProjection, Projection>();
const SOURCES = [
  source('secret', keyed),
  source('configMap', keyed),
  source('downwardAPI', downwardAPI),
  source('serviceAccountToken', serviceAccountToken),
  source('clusterTrustBundle', validateClusterTrustBundle),
  source('podCertificate', validatePodCertificate),
];

/** Upstream's validateProjectedVolumeSource: each source has one type and file paths are unique. */
export function validateProjected(
  volume: ProjectedVolumeSource,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const taken = new Set<string>();
  const claim = (file: string, shown = file): FieldError[] => {
    if (taken.has(file)) return [invalid(path, shown, 'conflicting duplicate paths')];
    taken.add(file);
    return [];
  };
  const projection = { path, options, claim };
  const sources = each(volume.sources ?? [], path.child('sources'), (one, at) => validateSource(one, at, projection));
  return [...fileMode(volume.defaultMode, path.child('defaultMode')), ...sources];
}

function validateSource(projected: VolumeProjection, path: FieldPath, projection: Projection): FieldError[] {
  const set = SOURCES.filter(({ isSet }) => isSet(projected));
  const errors = set.flatMap(({ validate }) => validate(projected, path, projection));
  return set.length > 1 ? [...errors, forbidden(path, 'may not specify more than 1 volume type per source')] : errors;
}

function keyed(
  projected: SecretProjection | ConfigMapProjection,
  path: FieldPath,
  { claim }: Projection,
): FieldError[] {
  const { name = '', items = [] } = projected;
  const keys = each(items, path.child('items'), (item, at) => [
    ...validateKeyToPath(item, at),
    ...(item.path === '' ? [] : claim(item.path, name)),
  ]);
  return [...(name === '' ? [required(path.child('name'))] : []), ...keys];
}

function downwardAPI({ items = [] }: DownwardAPIProjection, path: FieldPath, { claim }: Projection): FieldError[] {
  return items.flatMap((file) => [
    ...validateDownwardAPIFile(file, path),
    ...(file.path === '' ? [] : claim(file.path)),
  ]);
}

function serviceAccountToken(
  { path: target, expirationSeconds: seconds = 0 }: ServiceAccountTokenProjection,
  path: FieldPath,
  projection: Projection,
): FieldError[] {
  const where = path.child('expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < 600) errors.push(invalid(where, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32) errors.push(invalid(where, seconds, 'may not specify a duration larger than 2^32 seconds'));
  const targetPath = projection.path.child('path');
  if (target === '') return [...errors, required(targetPath)];
  return projection.options.allowNonLocalTokenPath ? errors : [...errors, ...localNonReservedPath(target, targetPath)];
}
