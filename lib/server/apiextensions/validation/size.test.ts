import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { finished } from '#lib/machinery/steps.ts';
import { errorText } from '#lib/machinery/validation/field.ts';
import { aDefinition } from '../a-definition.ts';
import { validateDefinition } from './validate.ts';

const withSchema = (properties: JsonObject): JsonObject => {
  const schema = { openAPIV3Schema: { type: 'object', properties } };
  return { ...aDefinition({}, { schema }), status: { storedVersions: ['v1'] } };
};
const many = (count: number, make: (i: number) => Json): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, make(i)]));
const errorsOf = (crd: JsonObject): string[] => finished(validateDefinition(crd)).map(errorText);

describe('a definition that would take too long to check', () => {
  test.each<[string, JsonObject, string]>([
    [
      'many schemas',
      many(40_000, () => ({})),
      'spec.versions.schema.openAPIV3Schema: Too many: 30001: must have at most 30000 items',
    ],
    [
      'many rules',
      many(1500, () => ({ type: 'string', 'x-kubernetes-validations': [{ rule: '(' }] })),
      'spec.versions.x-kubernetes-validations: Too many: 1001: must have at most 1000 items',
    ],
    [
      'long rules',
      many(20, (i) => ({ type: 'string', 'x-kubernetes-validations': [{ rule: `${'self=='.repeat(1000)}${i}` }] })),
      'spec.versions.x-kubernetes-validations: Too long: may not be more than 32768 characters',
    ],
    [
      'large patterns',
      many(200, (i) => ({ type: 'string', pattern: `x{1000}${i}` })),
      'spec.versions.pattern: Too long: may not be more than 50000 characters',
    ],
    [
      'large patterns inside rules',
      many(200, (i) => ({ type: 'string', 'x-kubernetes-validations': [{ rule: `self.matches('[a-z]{900}${i}')` }] })),
      'spec.versions.pattern: Too long: may not be more than 50000 characters',
    ],
  ])('is rejected as a whole: %s', (_, properties, message) => {
    expect(errorsOf(withSchema(properties))).toEqual([message]);
  });

  test('counts repeated patterns once', () => {
    expect(errorsOf(withSchema(many(200, () => ({ type: 'string', pattern: 'x{1000}' }))))).toEqual([]);
  });

  test('reports one error per invalid item of a default, however many there are', () => {
    const wrong = { type: 'array', items: { type: 'string' }, default: Array.from({ length: 130_000 }, () => 1) };
    expect(finished(validateDefinition(withSchema({ a: wrong })))).toHaveLength(130_000);
  });

  test('compares list keys and review versions in linear time', () => {
    const keys = Array.from({ length: 100_000 }, (_, i) => `k${i}`);
    const list = {
      type: 'array',
      items: { type: 'object' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': keys,
    };
    expect(finished(validateDefinition(withSchema({ a: list })))).toHaveLength(keys.length);
    const webhook = { conversionReviewVersions: [...keys, 'k1'], clientConfig: { url: 'https://example.com' } };
    const crd = aDefinition({ conversion: { strategy: 'Webhook', webhook } });
    const [first] = finished(validateDefinition({ ...crd, status: { storedVersions: ['v1'] } }));
    expect(first && errorText(first)).toBe(
      'spec.conversion.conversionReviewVersions[100000]: Invalid value: "k1": duplicate version',
    );
  });
});
