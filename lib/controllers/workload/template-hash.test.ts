import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { templateHash } from './template-hash.ts';

test('hashes templates independently of field order, in the alphabet of generated names', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (template, collisions) => {
      const turned = Object.fromEntries(Object.entries(template).reverse());
      const [a, b] = [template, turned].map((one) => templateHash(JSON.parse(JSON.stringify(one)), collisions));
      expect(a).toBe(b);
      expect(a).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
    }),
  );
});

test('returns another hash after a collision', () => {
  const hashes = [undefined, 0, 1, 2].map((collisions) => templateHash({ spec: { a: 1 } }, collisions));
  expect(new Set(hashes).size).toBe(4);
});
