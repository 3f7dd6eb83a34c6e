import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { skipUnless } from '#test/support/skip.ts';
import { decodeTyped } from '../codec/decode.ts';
import { archive, fixtures, kindOf } from '../fixtures.conformance.ts';
import { findKind } from '../kinds.ts';
import { kindNames, typeFacts } from '../types.ts';
import type { ValueFacts } from '../values.ts';
import { Fit, readDeclarations } from './declarations.conformance.ts';

const fit = new Fit(readDeclarations());
const kinds = kindNames().map(([gvk, type]) => ({ gvk, type }));

test.each(kinds)('decodes an empty $type as its type declares', ({ gvk, type }) => {
  expect(fit.faults(type, decodeTyped(gvk, {}).object)).toEqual([]);
});

/** Values for a field that decoders accept, and some that they reject: null, empty values, zeros. */
function valueOf(facts: ValueFacts, depth: number): fc.Arbitrary<Json> {
  switch (facts.form) {
    case 'struct':
      return depth === 0 ? fc.constant({}) : objectOf(facts.type, depth - 1);
    case 'list':
      return fc.array(orNull(valueOf(facts.of, depth)), { maxLength: 2 });
    case 'map':
      return fc.dictionary(fc.constantFrom('a', '__proto__'), orNull(valueOf(facts.of, depth)), { maxKeys: 2 });
    case 'bool':
      return fc.boolean();
    case 'time':
      return fc.constant('2024-01-01T00:00:00Z');
    case 'microtime':
      return fc.constant('2024-01-01T00:00:00.000000Z');
    case 'duration':
      return fc.constantFrom('1m', '0s');
    case 'string':
    case 'bytes':
      return fc.constantFrom('', 'aaaa');
    case 'int64':
      return fc.constantFrom<Json[]>(0, 1, 2n ** 60n);
    case 'quantity':
    case 'intstr':
      return fc.constantFrom<Json[]>(0, 1, '1');
    case 'int32':
    case 'double':
      return fc.constantFrom(0, 1);
    default:
      return fc.constantFrom<Json[]>({}, [], ['a'], true, 'a');
  }
}

const orNull = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });

function objectOf(type: string, depth: number): fc.Arbitrary<JsonObject> {
  const fields = typeFacts(type).fields.map(({ name, value }) => [name, orNull(valueOf(value, depth))] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

test.each(kinds)('decodes any $type as its type declares', ({ gvk, type }) => {
  let decoded = 0;
  fc.assert(
    fc.property(objectOf(type, 4), (json) => {
      const object = valueOrRefusal(() => decodeTyped(gvk, json).object);
      if (object === undefined) return;
      decoded++;
      expect(fit.faults(type, object)).toEqual([]);
    }),
    { numRuns: 20 },
  );
  expect(decoded).toBeGreaterThan(0);
});

describe('fully populated objects of upstream', skipUnless(fixtures !== undefined, 'DAVIT_FIXTURES is not set'), () => {
  const objects = fixtures === undefined ? [] : [...archive('roundtrip')].flatMap(([path, body]) => served(path, body));

  test('match their declared types', () => {
    expect(objects.length).toBe(89);
    expect(objects.flatMap(({ type, object }) => fit.faults(type, object).map((fault) => type + fault))).toEqual([]);
  });

  function served(path: string, body: Buffer): { type: string; object: JsonObject }[] {
    const object = path.endsWith('.json') ? decodeJson(body).value : undefined;
    const type = isObject(object) ? findKind(kindOf(object))?.name : undefined;
    return isObject(object) && type !== undefined ? [{ type, object }] : [];
  }
});
