import { expect, test } from 'vitest';
import { parseDeclaration, parseDeclarations } from './declaration.ts';

const DB = { apiVersion: 'example.com/v1', kind: 'Database' };

test('fills in the defaults', () => {
  expect(parseDeclaration({ name: 'database', for: DB })).toEqual({
    name: 'database',
    for: { ...DB, clusterScoped: false },
    owns: [],
    watches: [],
    predicates: {},
    maxConcurrent: 10,
    permissions: [],
  });
});

const base = { name: 'database', for: DB };
const watch = (map: object) => ({ ...base, watches: [{ apiVersion: 'v1', kind: 'Secret', map }] });

test.each<[string, unknown, RegExp]>([
  ['a value that is not an object', 1, /expected object/],
  ['a missing name', { for: DB }, /name: /],
  ['a name that is not a DNS label', { ...base, name: 'A.b' }, /name: must be a DNS label/],
  ['an invalid version', { ...base, for: { apiVersion: 'a/b/c', kind: 'X' } }, /for.apiVersion: must be group/],
  ['an unknown field', { ...base, own: [] }, /"own"/],
  ['an invalid selector', { ...base, predicates: { labelSelector: 'a in' } }, /must be a label selector/],
  ['an invalid aspect', { ...base, predicates: { changed: ['spec'] } }, /predicates.changed.0/],
  ['an invalid mapping', watch({}), /watches.0.map/],
  ['an invalid path', watch({ field: 'spec..x' }), /watches.0.map/],
  ['two mappings in one', watch({ owner: true, label: 'x' }), /watches.0.map/],
  ['zero workers', { ...base, maxConcurrent: 0 }, /maxConcurrent/],
  [
    'a permission without resources',
    { ...base, permissions: [{ verbs: ['get'] }] },
    /permissions.0: must have apiGroups/,
  ],
  [
    'a permission for resources and URLs',
    { ...base, permissions: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }] },
    /permissions.0: must have apiGroups/,
  ],
  ['a resync every second', { ...base, resyncPeriod: 1000 }, /resyncPeriod/],
])('rejects %s with one line', (_, given, why) => {
  expect(() => parseDeclaration(given)).toThrow(why);
  expect(() => parseDeclaration(given)).toThrow(/^reconciler declaration: [^\n]*$/);
});

test('rejects a list with a duplicate name', () => {
  expect(parseDeclarations([base, { ...base, name: 'other' }])).toHaveLength(2);
  expect(() => parseDeclarations([base, base])).toThrow('database is there twice');
  expect(() => parseDeclarations(base)).toThrow('must be a list');
});
