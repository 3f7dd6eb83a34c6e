import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, items, text } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { each, requiredText } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { localNonReservedPath } from './paths.ts';
import { validateClusterTrustBundle, validatePodCertificate } from './projected-certificates.ts';
import type { Projection } from './projection.ts';
import { fileMode, validateDownwardAPIFile, validateKeyToPath } from './volume-files.ts';

type Source = (source: JsonObject, path: FieldPath, projection: Projection) => FieldError[];

const SOURCES: readonly (readonly [string, Source])[] = [
  ['secret', keyed],
  ['configMap', keyed],
  ['downwardAPI', downwardAPI],
  ['serviceAccountToken', serviceAccountToken],
  ['clusterTrustBundle', validateClusterTrustBundle],
  ['podCertificate', validatePodCertificate],
];

export function validateProjected(volume: JsonObject, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const taken = new Set<string>();
  const claim = (file: string, shown = file): FieldError[] => {
    if (taken.has(file)) return [invalid(path, shown, 'conflicting duplicate paths')];
    taken.add(file);
    return [];
  };
  const projection = { path, options, claim };
  const sources = each(items(volume, 'sources'), path.child('sources'), (source, at) => one(source, at, projection));
  return [...fileMode(volume, 'defaultMode', path), ...sources];
}

function one(source: JsonObject, path: FieldPath, projection: Projection): FieldError[] {
  const set = SOURCES.filter(([field]) => has(source, field));
  const errors = set.flatMap(([field, validate]) =>
    validate(objectAt(source, field) ?? {}, path.child(field), projection),
  );
  return set.length > 1 ? [...errors, forbidden(path, 'may not specify more than 1 volume type per source')] : errors;
}

function keyed(source: JsonObject, path: FieldPath, { claim }: Projection): FieldError[] {
  const name = text(source, 'name');
  const keys = each(items(source, 'items'), path.child('items'), (item, at) => {
    const file = text(item, 'path');
    return [...validateKeyToPath(item, at), ...(file === '' ? [] : claim(file, name))];
  });
  return [...requiredText(source, 'name', path), ...keys];
}

function downwardAPI(source: JsonObject, path: FieldPath, { claim }: Projection): FieldError[] {
  return items(source, 'items').flatMap((file) => {
    const target = text(file, 'path');
    return [...validateDownwardAPIFile(file, path), ...(target === '' ? [] : claim(target))];
  });
}

function serviceAccountToken(source: JsonObject, path: FieldPath, projection: Projection): FieldError[] {
  const seconds = count(source, 'expirationSeconds');
  const where = path.child('expirationSeconds');
  const errors: FieldError[] = [];
  if (seconds < 600) errors.push(invalid(where, seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32) errors.push(invalid(where, seconds, 'may not specify a duration larger than 2^32 seconds'));
  const target = text(source, 'path');
  const targetPath = projection.path.child('path');
  if (target === '') return [...errors, required(targetPath)];
  return projection.options.allowNonLocalTokenPath ? errors : [...errors, ...localNonReservedPath(target, targetPath)];
}
