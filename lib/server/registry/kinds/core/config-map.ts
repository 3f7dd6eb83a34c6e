import type { ConfigMap } from '#lib/api/types/core.v1.ts';
import type { Base64 } from '#lib/api/types/scalars.ts';
import { ownField, setField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, forbidden, invalid, tooLong } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey } from '#lib/machinery/validation/formats.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { checked } from '../shared/validate.ts';

/** The maximum total size of the values of a config map or a secret: 1 MiB. */
export const MAX_DATA = 1_048_576;

/** The number of bytes that a base64 text encodes. */
export const base64Bytes = (text: string): number => Buffer.byteLength(text, 'base64');

function validate(map: ConfigMap): FieldError[] {
  const binary = map.binaryData;
  const size =
    sortedEntries(map.data).reduce((sum, [, value]) => sum + byteLength(value), 0) +
    sortedEntries(map.binaryData).reduce((sum, [, value]) => sum + base64Bytes(value ?? ''), 0);
  return [
    ...keyErrors(map, 'data', (key) =>
      ownField(binary, key) !== undefined ? 'duplicate of key present in binaryData' : undefined,
    ),
    ...keyErrors(map, 'binaryData', () => undefined),
    ...(size > MAX_DATA ? [tooLong('', MAX_DATA)] : []),
  ];
}

function keyErrors(
  map: ConfigMap,
  field: 'data' | 'binaryData',
  also: (key: string) => string | undefined,
): FieldError[] {
  return sortedEntries<string | null>(map[field]).flatMap(([key]) => {
    const more = also(key);
    if (more === undefined && isConfigMapKey(key).length === 0) return [];
    const path = FieldPath.of(field).key(key);
    return [...checked(key, path, isConfigMapKey), ...(more === undefined ? [] : [invalid(path, key, more)])];
  });
}

const FROZEN = 'field is immutable when `immutable` is set';

/** The fields of a config map or a secret that `immutable` freezes. */
interface Freezable {
  immutable?: boolean;
  data?: Record<string, string | null>;
  binaryData?: Record<string, string | null>;
}

/** Errors of an update while `immutable` is set: neither the flag nor the data may change. */
export function frozenErrors(object: Freezable, old: Freezable): FieldError[] {
  if (old.immutable !== true) return [];
  const changed = (['data', 'binaryData'] as const).filter((field) => !semanticEqual(object[field], old[field]));
  const thawed = object.immutable === true ? [] : ['immutable'];
  return [...thawed, ...changed].map((field) => forbidden(field, FROZEN));
}

/** Replaces null values, which mean zero bytes, with empty text. */
export function nullsToEmpty(map: Record<string, Base64 | null> = {}): void {
  for (const key of Object.keys(map)) if (map[key] === null) setField(map, key, '');
}

/** Upstream's pkg/registry/core/configmap. */
export const configMapStrategy: KindStrategy<ConfigMap> = {
  default: (map) => nullsToEmpty(map.binaryData),
  validate,
  validateUpdate: (map, old) => [...frozenErrors(map, old), ...validate(map)],
};
