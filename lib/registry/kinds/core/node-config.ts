import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { forbidden, invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { checked } from '../shared/validate.ts';

/** Dynamic kubelet configuration is gone; objects that have it obey its rules. */
export function validateConfigSource(source: JsonObject, path: FieldPath): FieldError[] {
  return oneReference(source, path, (map, where) => [
    ...(text(map, 'uid') === '' ? [] : [forbidden(where.child('uid'), 'uid must not be set in spec')]),
    ...(text(map, 'resourceVersion') === ''
      ? []
      : [forbidden(where.child('resourceVersion'), 'resourceVersion must not be set in spec')]),
  ]);
}

export function validateConfigStatus(status: JsonObject | undefined, path: FieldPath): FieldError[] {
  return ['assigned', 'active', 'lastKnownGood'].flatMap((field) => {
    const source = objectAt(status, field);
    if (source === undefined) return [];
    return oneReference(source, path.child(field), (map, where) =>
      ['uid', 'resourceVersion'].flatMap((name) => (text(map, name) === '' ? [required(where.child(name))] : [])),
    );
  });
}

function oneReference(
  source: JsonObject,
  path: FieldPath,
  check: (map: JsonObject, path: FieldPath) => FieldError[],
): FieldError[] {
  const map = objectAt(source, 'configMap');
  if (map === undefined) {
    return [invalid(path, new Map([['ConfigMap', null]]), 'exactly one reference subfield must be non-nil')];
  }
  const where = path.child('configMap');
  return [
    ...check(map, where),
    ...named(map, 'namespace', where, isDNS1123Label),
    ...named(map, 'name', where, isDNS1123Subdomain),
    ...named(map, 'kubeletConfigKey', where, isConfigMapKey),
  ];
}

function named(
  map: JsonObject,
  field: string,
  path: FieldPath,
  check: (value: string) => readonly string[],
): FieldError[] {
  const value = text(map, field);
  return value === '' ? [required(path.child(field))] : checked(value, path.child(field), check);
}
