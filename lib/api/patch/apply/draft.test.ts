import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clone, isObject, type Json, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { Draft } from './draft.ts';
import { merge } from './merge.ts';
import { typedSchemaOf } from './openapi-schema.conformance.ts';
import { definitions, thing } from './thing.conformance.ts';

const schema = typedSchemaOf(thing, (name) => ({ openAPI: objectAt(definitions, name) ?? {} }));
const text = fc.constantFrom('1', '2', '');
const key = fc.constantFrom('a', 'b', '__proto__');
const item = fc.record({ k: key, v: fc.integer({ max: 2 }), sub: fc.dictionary(key, text) }, { requiredKeys: ['k'] });
const some = { maxLength: 3 };
const things = (set: fc.Arbitrary<Json[]>, map: fc.Arbitrary<Json[]>): fc.Arbitrary<JsonObject> =>
  fc.record(
    {
      set,
      atomic: fc.array(text, { maxLength: 2 }),
      map,
      granular: fc.oneof(fc.dictionary(key, text), fc.constant(null)),
      atom: fc.record({ x: text }, { requiredKeys: [] }),
      struct: fc.record({ x: text, in: fc.record({ y: text }, { requiredKeys: [] }) }, { requiredKeys: [] }),
      num: fc.integer({ max: 3 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>;
const given = things(fc.array(key, some), fc.array(item, some));
/** Applied lists have no duplicate items, because such an apply is rejected. */
const applied = things(fc.uniqueArray(key, some), fc.uniqueArray(item, { ...some, selector: ({ k }) => k }));

/** Returns the object itself, which is the draft's root. */
const drafted = (object: JsonObject, configs: readonly JsonObject[]): JsonObject => {
  const draft = new Draft(object);
  for (const config of configs) {
    draft.begin();
    expect(merge(object, clone(config), schema, draft) ?? object).toBe(object);
  }
  return object;
};
const pure = (object: Json, configs: readonly JsonObject[]): Json =>
  configs.reduce<Json>((live, config) => (isObject(live) ? merge(live, clone(config), schema) : live), object);
const kept = (object: JsonObject): JsonObject => ({ kind: 'T', ...object });

describe('merging in place with a draft', () => {
  test('returns the same result as merging copies, and changes no shared part', () => {
    fc.assert(
      fc.property(given, fc.array(applied.map(kept), some), (start, configs) => {
        const live = kept(start);
        const before = clone(live);
        expect(drafted({ ...live }, configs)).toEqual(pure(live, configs));
        expect(live).toEqual(before);
      }),
    );
  });

  test('undoes the last changes, and keeps the earlier ones', () => {
    fc.assert(
      fc.property(given, applied, applied, (start, first, second) => {
        const object = clone(kept(start));
        const draft = new Draft(object);
        merge(object, kept(first), schema, draft);
        const before = clone(object);
        draft.begin();
        merge(object, kept(second), schema, draft);
        draft.undo();
        expect(object).toEqual(before);
        expect(draft.isChanged).toBe(false);
      }),
    );
  });

  test('reports whether anything changed', () => {
    const object: JsonObject = kept({ granular: { a: '1' } });
    const draft = new Draft(object);
    merge(object, kept({ granular: { a: '1' } }), schema, draft);
    expect(draft.isChanged).toBe(false);
    merge(object, kept({ granular: { b: '1' } }), schema, draft);
    expect(draft.isChanged).toBe(true);
  });

  test('copies a map only once', () => {
    const shared = { a: '1' };
    const object: JsonObject = kept({ granular: shared });
    const draft = new Draft(object);
    merge(object, kept({ granular: { b: '1' } }), schema, draft);
    const copied = object['granular'];
    merge(object, kept({ granular: { __proto__x: '1', c: '1' } }), schema, draft);
    expect(object['granular']).toBe(copied);
    expect(shared).toEqual({ a: '1' });
  });
});
