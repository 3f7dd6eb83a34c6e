import { expect, test } from 'vitest';
import { parseProps } from './json-schema-props.ts';
import { validateListTypes } from './list-type.ts';
import { prune } from './pruning.ts';

/** More than the maximum number of call arguments. */
const MANY = 300_000;

test('reports as many unknown fields as a request can contain', () => {
  const unknown: string[] = [];
  const object = Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`k${i}`, 1]));
  prune(object, parseProps({ type: 'object' }), false, unknown);
  expect([unknown.length, Object.keys(object).length]).toEqual([MANY, 0]);
});

test('reports as many duplicate keys as a request can contain', () => {
  const schema = parseProps({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] });
  const items = Array.from({ length: MANY }, (_, i) => ({ k: i >> 1 }));
  expect(validateListTypes(schema, items)).toHaveLength(MANY / 2);
});
