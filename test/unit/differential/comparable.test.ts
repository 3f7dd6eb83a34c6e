import { expect, test } from 'vitest';
import type { Json } from '#lib/machinery/json-value.ts';
import { comparable } from './comparable.ts';
import { differences } from './compare.ts';

const invalid = (message: string, ...causes: Json[]): Json => ({ kind: 'Status', message, details: { causes } });

test.each<[string, Json, Json]>([
  ['uids and versions', { uid: 'a', resourceVersion: '1' }, { uid: 'b', resourceVersion: '99' }],
  ['times within texts', 'at 2026-01-02T03:04:05Z', 'at 2027-01-02T03:04:05.123456Z'],
  ['allocated addresses in a table', { cells: ['web', '10.96.0.1', '3s'] }, { cells: ['web', '10.96.7.7', '4s'] }],
  [
    'the words that describe a column',
    { columnDefinitions: [{ name: 'A', description: 'x' }] },
    { columnDefinitions: [{ name: 'A', description: 'y' }] },
  ],
  [
    'the order of managers',
    { managedFields: [{ manager: 'a' }, { manager: 'b' }] },
    { managedFields: [{ manager: 'b' }, { manager: 'a' }] },
  ],
  ['the order of fields', { a: 1, b: 2 }, { b: 2, a: 1 }],
  [
    'the order of fields in a quoted document',
    'Invalid value: "{\\"a\\":1,\\"b\\":2}": no',
    'Invalid value: "{\\"b\\":2,\\"a\\":1}": no',
  ],
  [
    'the order of several faults',
    invalid('X "a" is invalid: [b: no, c: no]', { field: 'b' }, { field: 'c' }),
    invalid('X "a" is invalid: [c: no, b: no]', { field: 'c' }, { field: 'b' }),
  ],
])('%s make no difference', (_, a, b) => expect(comparable(a)).toEqual(comparable(b)));

test.each<[string, Json, Json]>([
  ['a uid that is missing', { uid: 'a' }, {}],
  ['an empty version', { resourceVersion: '1' }, { resourceVersion: '' }],
  ['the order of a list', [1, 2], [2, 1]],
  [
    'another fault',
    invalid('X "a" is invalid: b: no', { field: 'b' }),
    invalid('X "a" is invalid: c: no', { field: 'c' }),
  ],
  ['a number that is a text', { a: 1 }, { a: '1' }],
])('%s makes a difference', (_, a, b) => expect(comparable(a)).not.toEqual(comparable(b)));

test('shows a difference leaf by leaf', () => {
  expect(differences({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 }, d: null })).toEqual([
    '.a.c: 2 | 3',
    '.d: (absent) | null',
  ]);
});
