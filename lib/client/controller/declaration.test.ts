import { expect, test } from 'vitest';
import { parseDeclaration, parseDeclarations } from './declaration.ts';

const DB = { apiVersion: 'example.com/v1', kind: 'Database' };

test('fills in defaults', () => {
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
  ['no object', 1, /expected object/],
  ['no name', { for: DB }, /name: /],
  ['a name that is no label', { ...base, name: 'A.b' }, /name: must be a DNS label/],
  ['a version that is none', { ...base, for: { apiVersion: 'a/b/c', kind: 'X' } }, /for.apiVersion: must be group/],
  ['something unknown', { ...base, own: [] }, /"own"/],
  ['a selector that is none', { ...base, predicates: { labelSelector: 'a in' } }, /must be a label selector/],
  ['an aspect that is none', { ...base, predicates: { changed: ['spec'] } }, /predicates.changed.0/],
  ['a mapping that is none', watch({}), /watches.0.map/],
  ['a path that is none', watch({ field: 'spec..x' }), /watches.0.map/],
  ['two mappings in one', watch({ owner: true, label: 'x' }), /watches.0.map/],
  ['nobody working', { ...base, maxConcurrent: 0 }, /maxConcurrent/],
  ['a permission to nothing', { ...base, permissions: [{ verbs: ['get'] }] }, /permissions.0: must have apiGroups/],
  [
    'a permission of both sorts',
    { ...base, permissions: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] }] },
    /permissions.0: must have apiGroups/,
  ],
  ['a resync each second', { ...base, resyncPeriod: 1000 }, /resyncPeriod/],
])('refuses %s in one line', (_, given, why) => {
  expect(() => parseDeclaration(given)).toThrow(why);
  expect(() => parseDeclaration(given)).toThrow(/^reconciler declaration: [^\n]*$/);
});

test('refuses a list that has a name twice', () => {
  expect(parseDeclarations([base, { ...base, name: 'other' }])).toHaveLength(2);
  expect(() => parseDeclarations([base, base])).toThrow('database is there twice');
  expect(() => parseDeclarations(base)).toThrow('must be a list');
});
