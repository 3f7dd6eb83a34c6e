import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTyped } from '#lib/api/codec/decode.ts';
import { valueOrRefusal } from '#lib/machinery/faults.conformance.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import { aDefinition } from './a-definition.ts';
import { setDefaults } from './defaults.ts';
import { evaluate } from './jsonpath/evaluate.ts';
import { parsePath } from './jsonpath/parse.ts';
import { validateDefinition, validateDefinitionUpdate } from './validation/validate.ts';

const DEFINITION = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };
const text = fc.constantFrom('', 'a', 'string', 'object', 'array', 'integer', 'set', 'map', 'self', 'self.a > 0', '(');
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const withoutUndefined = (given: unknown): JsonObject => JSON.parse(JSON.stringify(given)) as JsonObject;

/** A schema of arbitrary parts, which mostly do not fit together. */
const { schema } = fc.letrec<{ schema: JsonObject; node: JsonObject }>((tie) => {
  const inner = tie('schema');
  return {
    schema: fc.oneof({ maxDepth: 3 }, fc.record({ type: text }), tie('node')),
    node: fc
      .record(
        {
          type: text,
          format: text,
          pattern: text,
          nullable: fc.boolean(),
          maxLength: fc.constantFrom(0, 10, -1),
          properties: fc.dictionary(fc.constantFrom('a', 'metadata', '__proto__'), inner, { maxKeys: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), inner),
          items: inner,
          allOf: fc.array(inner, { maxLength: 2 }),
          not: inner,
          default: fc.constantFrom<Json[]>(null, 1, 'a', {}, [], { a: 1 }),
          enum: fc.array(fc.constantFrom<Json[]>(1, 'a', null), { maxLength: 2 }),
          required: fc.array(text, { maxLength: 2 }),
          'x-kubernetes-preserve-unknown-fields': fc.boolean(),
          'x-kubernetes-embedded-resource': fc.boolean(),
          'x-kubernetes-int-or-string': fc.boolean(),
          'x-kubernetes-list-type': text,
          'x-kubernetes-list-map-keys': fc.array(text, { maxLength: 2 }),
          'x-kubernetes-validations': fc.array(fc.record({ rule: text, messageExpression: some(text) }), {
            maxLength: 2,
          }),
        },
        { requiredKeys: ['type'] },
      )
      .map(withoutUndefined),
  };
});

function decoded(openAPIV3Schema: JsonObject): JsonObject | undefined {
  const crd = valueOrRefusal(() => decodeTyped(DEFINITION, aDefinition({}, { schema: { openAPIV3Schema } })).object);
  if (crd !== undefined) setDefaults(crd);
  return crd;
}

describe('an arbitrary definition', () => {
  test('has a valid schema, or is rejected', () => {
    let judged = 0;
    fc.assert(
      fc.property(schema, schema, (first, second) => {
        const [crd, old] = [decoded({ ...first, type: 'object' }), decoded({ ...second, type: 'object' })];
        if (crd === undefined || old === undefined) return;
        judged += 1;
        for (const error of [...finished(validateDefinition(crd)), ...finished(validateDefinitionUpdate(crd, old))]) {
          expect(error.field).not.toBe('');
        }
      }),
      { numRuns: 300 },
    );
    expect(judged).toBeGreaterThan(30);
  });

  test('has columns with valid paths or is rejected, and the paths find values or fail', () => {
    const path = fc.string({
      unit: fc.constantFrom(..."a . .. * [ ] ' ? ( ) @ == < , : - 1 0 \\ { } $ && ||".split(' ')),
      maxLength: 16,
    });
    const value: Json = { a: [{ a: 1 }, 'a', null, [{ a: { a: '1' } }]] };
    let found = 0;
    fc.assert(
      fc.property(path, (given) => {
        const parsed = valueOrRefusal(() => parsePath(given));
        if (parsed !== undefined && valueOrRefusal(() => evaluate(parsed, value, () => {})) !== undefined) found += 1;
      }),
      { numRuns: 1000 },
    );
    expect(found).toBeGreaterThan(20);
  });
});
