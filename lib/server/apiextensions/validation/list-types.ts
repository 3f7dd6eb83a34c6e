import type { JSONSchemaProps } from '#lib/api/schema/json-schema-props.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isNonAtomicSet } from './atomic-set.ts';
import { internalItems } from './internal-schema.ts';

/** Upstream's validateMapListKeysMapSet: items of sets and maps are not nullable, and every item has the keys. */
export function listTypeErrors(s: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items, listType } = s;
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const text = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbidden(path.child('items', 'nullable'), text));
  }
  if (listType === 'set') return errors;
  const needed = new Set(items.required);
  for (const key of s.listMapKeys ?? []) errors.push(...keyErrors(items, key, needed, path));
  return errors;
}

function keyErrors(
  { properties }: JSONSchemaProps,
  key: string,
  needed: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  const property = properties?.get(key);
  if (property === undefined) return [];
  const at = path.child('items', 'properties').key(key);
  const why = 'this property is in x-kubernetes-list-map-keys, so it';
  const errors: FieldError[] = [];
  if (!needed.has(key) && property.default === undefined) {
    errors.push(required(at.child('default'), `${why} must have a default or be a required property`));
  }
  if (property.nullable === true) errors.push(forbidden(at.child('nullable'), `${why} cannot be nullable`));
  return errors;
}

/** Validates x-kubernetes-map-type, -list-type and -list-map-keys against their schema. */
export function topologyErrors(s: JSONSchemaProps, path: FieldPath, requireAtomicSet: boolean): FieldError[] {
  return [
    ...mapTypeErrors(s, path),
    ...listTypeTypeErrors(s, path, requireAtomicSet),
    ...mapKeysErrors(s, path),
    ...(s.listType === 'map' ? mapListErrors(s, path) : []),
  ];
}

function mapTypeErrors({ mapType, type = '' }: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (mapType === undefined) return [];
  const errors =
    type === 'object' ? [] : [wrongType(type, 'must be object if x-kubernetes-map-type is specified', path)];
  const known = ['atomic', 'granular'];
  if (!known.includes(mapType)) errors.push(notSupported(path.child('x-kubernetes-map-type'), mapType, known));
  return errors;
}

function wrongType(type: string, text: string, path: FieldPath): FieldError {
  const at = path.child('type');
  return type === '' ? required(at, text) : invalid(at, type, text);
}

function listTypeTypeErrors(s: JSONSchemaProps, path: FieldPath, requireAtomicSet: boolean): FieldError[] {
  const { listType, type = '' } = s;
  if (listType === undefined) return [];
  const errors: FieldError[] = [];
  if (type !== 'array') errors.push(wrongType(type, 'must be array if x-kubernetes-list-type is specified', path));
  else if (requireAtomicSet && isNonAtomicSet(s)) {
    const name = s.items?.type === 'array' ? 'x-kubernetes-list-type' : 'x-kubernetes-map-type';
    const text = 'must be atomic as item of a list with x-kubernetes-list-type=set';
    errors.push(invalid(path.child('items', name), s.items?.listType ?? null, text));
  }
  const known = ['atomic', 'set', 'map'];
  if (!known.includes(listType)) errors.push(notSupported(path.child('x-kubernetes-list-type'), listType, known));
  return errors;
}

function mapKeysErrors({ listType, listMapKeys = [] }: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (listMapKeys.length === 0 || listType === 'map') return [];
  const at = path.child('x-kubernetes-list-type');
  const text = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return [listType === undefined ? required(at, text) : invalid(at, listType, text)];
}

function mapListErrors(s: JSONSchemaProps, path: FieldPath): FieldError[] {
  const { items, itemSchemas, listMapKeys = [] } = s;
  const at = path.child('items');
  const errors: FieldError[] = [];
  if (listMapKeys.length === 0) {
    const text = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(required(path.child('x-kubernetes-list-map-keys'), text));
  }
  if (items === undefined && itemSchemas === undefined) {
    errors.push(required(at, 'must have a schema if x-kubernetes-list-type is map'));
  }
  if (items === undefined && itemSchemas !== undefined) {
    errors.push(invalid(at, internalItems(s), 'must only have a single schema if x-kubernetes-list-type is map'));
  }
  if (items === undefined) return errors;
  if (items.type === 'object') return [...errors, ...itemKeysErrors(items, listMapKeys, path)];
  const text = "must be object if parent array's x-kubernetes-list-type is map";
  return [...errors, invalid(at.child('type'), items.type ?? '', text)];
}

function itemKeysErrors(items: JSONSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const at = path.child('x-kubernetes-list-map-keys');
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const key of keys) {
    const property = items.properties?.get(key);
    if (property === undefined) errors.push(invalid(at, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const text = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(path.child('items', 'properties').key(key).child('type'), items.type, text));
    }
    if (seen.has(key)) errors.push(invalid(at, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}
