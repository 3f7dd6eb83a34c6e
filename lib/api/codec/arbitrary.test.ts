import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typedSchema } from '#lib/api/patch/apply/kind-schema.ts';
import { merge } from '#lib/api/patch/apply/merge.ts';
import { validate } from '#lib/api/patch/apply/validate.ts';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import { clone, isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';
import { decodeTyped } from './decode.ts';
import { settleTyped } from './settle.ts';

const SOME = { requiredKeys: [] as [] };
const POD = { group: '', version: 'v1', kind: 'Pod' };
const DEFINITION = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

const NAMES =
  'metadata labels annotations finalizers spec containers name image env value ports resources limits cpu tolerations nodeSelector hostNetwork creationTimestamp overhead';
const MORE = 'versions schema openAPIV3Schema properties items additionalProperties default __proto__ no';
const field = fc.constantFrom(...`${NAMES} ${MORE}`.split(' '));
const { value, object } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.constantFrom<Json[]>(null, true, false, 0, 1, 1.5, 2n ** 60n, '', 'a', '1', '2024-01-01T00:00:00Z', '1Gi'),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(field, tie('value')), { maxLength: 5 }).map(fromEntries),
}));

function fromEntries(entries: readonly (readonly [string, Json])[]): JsonObject {
  const made: JsonObject = {};
  for (const [name, one] of entries) setField(made, name, one);
  return made;
}

/** Bodies whose metadata and spec are mostly objects, so that decoding reaches the fields of a pod. */
const pod = fc.record({
  metadata: fc.oneof(object, value),
  spec: fc.oneof(object, value),
}) as fc.Arbitrary<JsonObject>;

describe('an arbitrary object', () => {
  test.each([
    ['a pod', POD, pod],
    ['a definition', DEFINITION, object],
  ])('decodes as %s to an object that decodes to itself, or is rejected', (_, kind, given) => {
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(given, value), (json) => {
        const before = clone(json);
        const once = valueOrRefusal(() => decodeTyped(kind, json));
        expect(json).toEqual(before);
        if (once === undefined) return;
        read += 1;
        const again = decodeTyped(kind, once.object);
        expect(again).toEqual({ object: once.object, unknown: [] });
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(20);
  });

  test('decodes a changed field as it does in the whole object', () => {
    const schema = typedSchema(POD);
    let settled = 0;
    const labels = fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom('', '1'));
    const small = fc.record(
      {
        metadata: fc.record({ labels, annotations: labels, finalizers: fc.array(fc.constantFrom('a', 'b')) }, SOME),
        spec: fc.record(
          {
            nodeName: fc.constantFrom<Json[]>('', 'n', null),
            nodeSelector: labels,
            overhead: fc.dictionary(fc.constantFrom('cpu'), fc.constantFrom('1', '1000m', 'x')),
            hostNetwork: fc.boolean(),
            containers: fc.array(fc.record({ name: fc.constantFrom('a', 'b'), image: fc.constantFrom('', 'i') }), {
              maxLength: 2,
            }),
          },
          SOME,
        ),
      },
      SOME,
    ) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(small, small, (first, patch) => {
        const live = valueOrRefusal(() => decodeTyped(POD, first).object);
        if (live === undefined || validate(patch, schema).length > 0) return;
        const merged = merge(live, clone(patch), schema);
        if (!isObject(merged)) return;
        const whole = valueOrRefusal(() => decodeTyped(POD, clone(merged)).object);
        const inPlace = valueOrRefusal(() => settleTyped(POD, merged, patch) ?? merged);
        expect(inPlace === undefined).toBe(whole === undefined);
        if (inPlace === undefined) return;
        settled += 1;
        expect(decodeTyped(POD, inPlace).object).toEqual(whole);
      }),
      { numRuns: 500 },
    );
    expect(settled).toBeGreaterThan(50);
  });
});
