import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { equal, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { diff } from './diff.ts';
import { applyJsonPatch } from './json-patch.ts';

test.each<[string, JsonObject, JsonObject, Json]>([
  ['nothing', { a: 1 }, { a: 1 }, []],
  ['a new field', {}, { a: { b: 1 } }, [{ op: 'add', path: '/a', value: { b: 1 } }]],
  ['a field that goes', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
  ['a value', { a: { b: 1 } }, { a: { b: 2 } }, [{ op: 'replace', path: '/a/b', value: 2 }]],
  ['a type', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
  ['null', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ['an item in front', { a: [2, 3] }, { a: [1, 2, 3] }, [{ op: 'add', path: '/a/0', value: 1 }]],
  [
    'items within',
    { a: [1, 2, 3, 4] },
    { a: [1, 4] },
    [
      { op: 'remove', path: '/a/2' },
      { op: 'remove', path: '/a/1' },
    ],
  ],
  ['within an item', { a: [{ b: 1 }, 2] }, { a: [{ b: 3 }, 2] }, [{ op: 'replace', path: '/a/0/b', value: 3 }]],
  ['slashes and tildes', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
])('builds the patch of %s', (_, before, after, patch) => {
  expect(diff(before, after)).toEqual(patch);
});

test('replaces the whole document if a server would reject so many operations', () => {
  const after = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f${i}`, i]));
  expect(diff({}, after)).toEqual([{ op: 'replace', path: '', value: after }]);
});

test('turns the first value into the second when applied', () => {
  const field = fc.oneof(fc.constantFrom('a', 'b', 'c', '', '-', '0', '/', '~1', '__proto__'), fc.string());
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json>(null, true, 0, 1, 2n ** 60n, 'x'),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(field, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const document = fc.dictionary(field, tree, { maxKeys: 4 });
  fc.assert(
    fc.property(document, document, (before, after) => {
      expect(equal(applyJsonPatch(before, diff(before, after)), after)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
