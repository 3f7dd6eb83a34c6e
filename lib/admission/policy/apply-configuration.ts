import type { Value } from '#lib/cel/values/value.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { formOf, problemText } from '#lib/patch/apply/form.ts';
import { merge } from '#lib/patch/apply/merge.ts';
import { fieldType, type ListType, type MapType, type TypedSchema } from '#lib/patch/apply/schema.ts';
import { validate } from '#lib/patch/apply/validate.ts';
import { misplaced } from '../cel/dynamic-object.ts';
import { appliedType } from '../cel/mutation-types.ts';
import { toJson } from '../cel/to-json.ts';
import { MutationFault } from './mutation-fault.ts';

/** An object to be changed; `isTyped` where it is known to be of the schema. */
export interface Live {
  readonly object: JsonObject;
  readonly schema: TypedSchema;
  readonly isTyped: boolean;
}

/**
 * The object with a configuration merged in, nobody being recorded as its owner; it shares the parts that stay. Throws
 * MutationFault.
 */
export function applyConfiguration({ object: live, schema, isTyped }: Live, configuration: Value): JsonObject {
  const wrong = misplaced(configuration, appliedType.name);
  if (wrong.length > 0) throw new MutationFault(`type mismatch: ${wrong.join('\n')}`);
  const given = toJson(configuration);
  if (!isObject(given)) throw new MutationFault('invalid return type');
  const patch = { ...given, apiVersion: live['apiVersion'] ?? null, kind: live['kind'] ?? null };
  check('failed to convert patch object to typed object', patch, schema, false);
  const atomic = atomics(patch, schema, '');
  if (atomic.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`;
    throw new MutationFault(`error applying patch: invalid ApplyConfiguration: ${why}`);
  }
  if (!isTyped) check('failed to convert original object to typed object', live, schema, true);
  const merged = merge(live, patch, schema);
  return isObject(merged) ? merged : patch;
}

function check(failure: string, value: JsonObject, schema: TypedSchema, allowDuplicates: boolean): void {
  const problems = validate(value, schema, { allowDuplicates });
  if (problems.length > 0) throw new MutationFault(`error applying patch: ${failure}: ${problemText(problems)}`);
}

/** Where the patch would replace a whole that it seems to change a part of. */
function atomics(value: Json, schema: TypedSchema, path: string): string[] {
  const form = formOf(schema, value);
  if (form === 'map' && isObject(value)) return inMap(value, schema.map as MapType, path);
  return form === 'list' && Array.isArray(value) ? inList(value, schema.list as ListType, path) : [];
}

function inMap(value: JsonObject, type: MapType, path: string): string[] {
  const within = Object.entries(value).flatMap(([field, part]) => {
    const known = type.fields.has(field) ? fieldType(type, field) : undefined;
    return known === undefined ? [] : atomics(part, known, `${path}.${field}`);
  });
  return type.atomic ? [path, ...within] : within;
}

function inList(value: readonly Json[], type: ListType, path: string): string[] {
  const within = value.flatMap((item, i) => atomics(item, type.items, `${path}[${i}]`));
  return type.relationship === 'atomic' ? [path, ...within] : within;
}
