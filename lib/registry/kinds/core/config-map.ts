import { objectAt, ownField, setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { entries, flag, has } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, invalid, tooLong, type FieldError } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey } from '#lib/machinery/validation/formats.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { checked } from '../shared/validate.ts';

/** 1 MiB over all values of a config map or a secret. */
export const MAX_DATA = 1_048_576;

/** The bytes that a base64 text stands for. */
export const base64Bytes = (text: string): number => Buffer.byteLength(text, 'base64');

function validate(map: JsonObject): FieldError[] {
  const binary = objectAt(map, 'binaryData');
  const size =
    entries(map, 'data').reduce((sum, [, value]) => sum + byteLength(value), 0) +
    entries(map, 'binaryData').reduce((sum, [, value]) => sum + base64Bytes(value), 0);
  return [
    ...keyErrors(map, 'data', (key) => (has(binary, key) ? 'duplicate of key present in binaryData' : undefined)),
    ...keyErrors(map, 'binaryData', () => undefined),
    ...(size > MAX_DATA ? [tooLong('', MAX_DATA)] : []),
  ];
}

function keyErrors(map: JsonObject, field: string, also: (key: string) => string | undefined): FieldError[] {
  return entries(map, field).flatMap(([key]) => {
    const more = also(key);
    if (more === undefined && isConfigMapKey(key).length === 0) return [];
    const path = FieldPath.of(field).key(key);
    return [...checked(key, path, isConfigMapKey), ...(more === undefined ? [] : [invalid(path, key, more)])];
  });
}

const FROZEN = 'field is immutable when `immutable` is set';

/** What may not change once `immutable` is set: the flag itself, and `fields`. */
export function frozenErrors(object: JsonObject, old: JsonObject, fields: readonly string[]): FieldError[] {
  if (flag(old, 'immutable') !== true) return [];
  const changed = fields.filter((field) => !semanticEqual(ownField(object, field), ownField(old, field)));
  const thawed = flag(object, 'immutable') === true ? [] : ['immutable'];
  return [...thawed, ...changed].map((field) => forbidden(field, FROZEN));
}

/** A key without bytes has none: null becomes the empty text. */
export function nullsToEmpty(object: JsonObject, field: string): void {
  const map = objectAt(object, field) ?? {};
  for (const key of Object.keys(map)) if (map[key] === null) setField(map, key, '');
}

/** Upstream's pkg/registry/core/configmap. */
export const configMapStrategy: KindStrategy = {
  default: (map) => nullsToEmpty(map, 'binaryData'),
  validate,
  validateUpdate: (map, old) => [...frozenErrors(map, old, ['data', 'binaryData']), ...validate(map)],
};
