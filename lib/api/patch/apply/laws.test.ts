import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { applyPatch } from './apply-patch.ts';
import { typedSchemaOf } from './openapi-schema.conformance.ts';
import { recordUpdate } from './record-update.ts';
import { definitions, thing } from './thing.conformance.ts';

const schema = typedSchemaOf(thing, (name) => ({ openAPI: objectAt(definitions, name) ?? {} }));

const text = fc.constantFrom('1', '2');
const key = fc.constantFrom('a', 'b', 'c', '__proto__');
const map = fc.uniqueArray(
  fc.record(
    { k: key, v: fc.integer({ min: 1, max: 3 }), sub: fc.dictionary(key, text, { minKeys: 1, maxKeys: 2 }) },
    { requiredKeys: ['k'] },
  ),
  { selector: ({ k }) => k, maxLength: 3, minLength: 1 },
);
/** A random applied configuration, valid in every form that the type has. */
const wish = fc.record(
  {
    set: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
    atomic: fc.array(text, { minLength: 1, maxLength: 2 }),
    map,
    merge: map,
    granular: fc.dictionary(key, text, { minKeys: 1, maxKeys: 3 }),
    atom: fc.record({ x: text, y: text }, { requiredKeys: ['x'] }),
    struct: fc.record({ x: text, y: text }, { requiredKeys: ['x'] }),
    num: fc.integer({ min: 1, max: 3 }),
    flag: fc.boolean(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const named = (content: JsonObject): JsonObject => ({
  apiVersion: 't/v1',
  kind: 'T',
  metadata: { name: 'n' },
  ...content,
});
const now = new Date(0);
const by = (live: JsonObject, manager: string) => ({ live, manager, schema, apiVersion: 't/v1', now, isCreate: false });

const apply = (live: JsonObject, manager: string, content: JsonObject, force = true): JsonObject =>
  applyPatch({ ...by(live, manager), applied: named(content), force });
const update = (live: JsonObject, manager: string, content: JsonObject): JsonObject =>
  recordUpdate({ ...by(live, manager), updated: { ...named(content), metadata: objectAt(live, 'metadata') ?? {} } });
const content = ({ apiVersion: _a, kind: _k, metadata: _m, ...rest }: JsonObject): JsonObject => rest;
const managers = (object: JsonObject): unknown => arrayAt(objectAt(object, 'metadata'), 'managedFields') ?? [];

describe('laws of server-side apply', () => {
  test('changes nothing when an apply is repeated', () => {
    fc.assert(
      fc.property(wish, wish, wish, (start, other, mine) => {
        const live = apply(update(named({}), 'u', start), 'other', other);
        const once = apply(live, 'me', mine);
        expect(apply(once, 'me', mine)).toEqual(once);
      }),
    );
  });

  test('leaves no conflict for the manager of a forced apply', () => {
    fc.assert(
      fc.property(wish, wish, wish, (start, other, mine) => {
        const live = apply(apply(update(named({}), 'u', start), 'other', other), 'me', mine);
        expect(apply(live, 'me', mine, false)).toEqual(live);
      }),
    );
  });

  test('reports the conflict of a rejected apply, which takes over the field if forced', () => {
    fc.assert(
      fc.property(wish, wish, (other, mine) => {
        const live = apply(named({}), 'other', other);
        try {
          expect(content(apply(live, 'me', mine, false))).toEqual(content(apply(live, 'me', mine)));
        } catch (error) {
          expect(error).toBeInstanceOf(StatusError);
          expect((error as StatusError).message).toMatch(/^Apply failed with \d+ conflicts?: conflicts? with "other"/);
          expect(content(apply(live, 'me', mine))).not.toEqual(content(live));
        }
      }),
    );
  });

  test('removes the fields that only the manager of an empty apply owned', () => {
    fc.assert(
      fc.property(wish, wish, (first, second) => {
        const live = apply(apply(named({}), 'me', first), 'me', second);
        expect(content(live)).toEqual(content(apply(named({}), 'me', second)));
        const left = apply(live, 'me', {});
        expect([content(left), managers(left)]).toEqual([{}, []]);
      }),
    );
  });

  test('ends with the last value of two managers that disagree', () => {
    fc.assert(
      fc.property(wish, wish, (mine, theirs) => {
        const live = apply(apply(named({}), 'me', mine), 'they', theirs);
        const without = apply(live, 'me', {});
        expect(content(without)).toEqual(content(apply(named({}), 'they', theirs)));
      }),
    );
  });
});
