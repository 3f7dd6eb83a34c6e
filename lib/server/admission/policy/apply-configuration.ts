import { misplaced } from '#lib/api/admission-cel/dynamic-object.ts';
import { appliedType } from '#lib/api/admission-cel/mutation-types.ts';
import { toJson } from '#lib/api/admission-cel/to-json.ts';
import type { Value } from '#lib/api/cel/values/value.ts';
import type { Draft } from '#lib/api/patch/apply/draft.ts';
import { formOf, problemText } from '#lib/api/patch/apply/form.ts';
import { merge } from '#lib/api/patch/apply/merge.ts';
import type { ListType, MapType, TypedSchema } from '#lib/api/patch/apply/schema.ts';
import { validate } from '#lib/api/patch/apply/validate.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { MutationFault } from './mutation-fault.ts';

/** An object to change. `isTyped` is true if it is known to conform to the schema. */
export interface Live {
  readonly object: JsonObject;
  readonly schema: TypedSchema;
  readonly isTyped: boolean;
  /** The draft of the object itself, if it may be changed in place. */
  readonly draft?: Draft | undefined;
}

/** The result of an apply: the merged object, and the applied configuration. */
export interface AppliedConfiguration {
  /** Shares unchanged parts with the original. If a draft exists, this is the draft's root. */
  readonly merged: JsonObject;
  readonly patch: JsonObject;
}

/** Merges a configuration into the object without recording field ownership. If it throws MutationFault, the object is unchanged. */
export function applyConfiguration(
  { object: live, schema, isTyped, draft }: Live,
  configuration: Value,
): AppliedConfiguration {
  const wrong = misplaced(configuration, appliedType.name);
  if (wrong.length > 0) throw new MutationFault(`type mismatch: ${wrong.join('\n')}`);
  const given = toJson(configuration);
  if (!isObject(given)) throw new MutationFault('invalid return type');
  const patch = { ...given, apiVersion: live['apiVersion'] ?? null, kind: live['kind'] ?? null };
  check('failed to convert patch object to typed object', patch, schema, false);
  const atomic: string[] = [];
  findAtomics(patch, schema, '', atomic);
  if (atomic.length > 0) {
    const why = `may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`;
    throw new MutationFault(`error applying patch: invalid ApplyConfiguration: ${why}`);
  }
  if (!isTyped) check('failed to convert original object to typed object', live, schema, true);
  draft?.begin();
  const merged = merge(live, patch, schema, draft);
  return { merged: isObject(merged) ? merged : patch, patch };
}

function check(failure: string, value: JsonObject, schema: TypedSchema, allowDuplicates: boolean): void {
  const problems = validate(value, schema, { allowDuplicates });
  if (problems.length > 0) throw new MutationFault(`error applying patch: ${failure}: ${problemText(problems)}`);
}

/** Adds the paths at which the patch would replace an atomic value although it appears to change only a part of it. */
function findAtomics(value: Json, schema: TypedSchema, path: string, found: string[]): void {
  const form = formOf(schema, value);
  if (form === 'map' && isObject(value)) {
    const type = schema.map as MapType;
    if (type.atomic) found.push(path);
    if (type.fields.size === 0) return;
    for (const field of Object.keys(value)) {
      const known = type.fields.get(field);
      if (known !== undefined) findAtomics(value[field] as Json, known.type, `${path}.${field}`, found);
    }
  } else if (form === 'list' && Array.isArray(value)) {
    const type = schema.list as ListType;
    if (type.relationship === 'atomic') found.push(path);
    for (const [i, item] of value.entries()) findAtomics(item, type.items, `${path}[${i}]`, found);
  }
}
