import { expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ChangeType, Summary } from '#lib/storage/sequence.ts';
import { type DeclarationInput, parseDeclaration } from './declaration.ts';
import { changeOf } from './object-change.ts';
import { requestsOf } from './requests.ts';

const SUMMARY: Summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };
const DB = { apiVersion: 'example.com/v1', kind: 'Database' };
const KEYS = new Map([
  ['Database', 'example.com/databases/ns'],
  ['Site', 'example.com/sites/'],
  ['Job', 'batch/jobs/ns'],
  ['Pod', '/pods/ns'],
  ['Event', '/events/ns'],
]);

function object(kind: string, metadata: JsonObject = {}, rest: JsonObject = {}): JsonObject {
  return { kind, apiVersion: 'example.com/v1beta1', metadata: { name: 'x', generation: 1, ...metadata }, ...rest };
}

function change(type: ChangeType, now: JsonObject, before?: JsonObject | number) {
  const key = `main/${KEYS.get(String(now['kind']))}/x`;
  const known = typeof before === 'number' ? { generation: before } : before && { body: encodeObject(before) };
  return changeOf(type, { key, body: encodeObject(now), summary: SUMMARY }, known);
}

const asked = (given: Omit<DeclarationInput, 'name'>, ...of: Parameters<typeof change>) =>
  requestsOf(parseDeclaration({ name: 'database', ...given }), change(...of)).map(
    ({ namespace, name }) => `${namespace}/${name}`,
  );

const db = (metadata?: JsonObject, rest?: JsonObject) => object('Database', metadata, rest);
const status = { status: { phase: 'Up' } };

test.each<[string, boolean, Parameters<typeof change>]>([
  ['creation', true, ['ADDED', db()]],
  ['deletion of the object', true, ['DELETED', db()]],
  ['another kind in the group', false, ['ADDED', object('Site')]],
  ['a new status', false, ['MODIFIED', db({}, status), db()]],
  ['new labels', false, ['MODIFIED', db({ labels: { a: 'b' } }), db()]],
  ['a new generation', true, ['MODIFIED', db({ generation: 2 }), db()]],
  ['no generation', true, ['MODIFIED', db({ generation: 0 }, status), db({ generation: 0 })]],
  ['a deletion timestamp', true, ['MODIFIED', db({ deletionTimestamp: '2026-11-21T00:00:00Z' }), db()]],
  ['a new finalizer', true, ['MODIFIED', db({ finalizers: ['a/b'] }), db()]],
  ['a removed finalizer', true, ['MODIFIED', db(), db({ finalizers: ['a/b'] })]],
  ['an unknown previous state', true, ['MODIFIED', db({}, status)]],
  ['only the previous generation is known', true, ['MODIFIED', db({}, status), 1]],
])('filters changes of the reconciled kind by default: %s (%s)', (_, passes, of) => {
  expect(asked({ for: DB }, ...of)).toEqual(passes ? ['ns/x'] : []);
});

test.each<[string, DeclarationInput['predicates'], boolean, Parameters<typeof change>]>([
  ['only generation, unchanged', { changed: ['generation'] }, false, ['MODIFIED', db({}, status), 1]],
  ['only generation, changed', { changed: ['generation'] }, true, ['MODIFIED', db({}, status), 2]],
  ['only deletion, with an unknown previous state', { changed: ['deletion'] }, false, ['MODIFIED', db()]],
  ['any, with a new status', { changed: ['any'] }, true, ['MODIFIED', db({}, status), db()]],
  [
    'any, with only a new resource version',
    { changed: ['any'] },
    false,
    ['MODIFIED', db({ resourceVersion: '2' }), db()],
  ],
  ['labels', { changed: ['labels'] }, true, ['MODIFIED', db({ labels: { a: 'b' } }), db()]],
  ['annotations, labels changed', { changed: ['annotations'] }, false, ['MODIFIED', db({ labels: { a: 'b' } }), db()]],
  ['a selector', { labelSelector: 'a=b' }, true, ['ADDED', db({ labels: { a: 'b' } })]],
  ['a selector that does not match', { labelSelector: 'a=b' }, false, ['ADDED', db()]],
  [
    'a selector that no longer matches',
    { labelSelector: 'a', changed: ['labels'] },
    true,
    ['MODIFIED', db(), db({ labels: { a: 'b' } })],
  ],
  ['a namespace', { namespaces: ['ns'] }, true, ['ADDED', db()]],
  ['other namespaces', { namespaces: ['other'] }, false, ['ADDED', db()]],
])('filters by the predicate %s (%s)', (_, predicates, passes, of) => {
  expect(asked({ for: DB, ...defined({ predicates }) }, ...of)).toEqual(passes ? ['ns/x'] : []);
});

const reference = (name: string, controller: boolean, kind = 'Database', group = 'example.com') => ({
  apiVersion: `${group}/v1`,
  kind,
  name,
  uid: name,
  controller,
});
const owned = (...ownerReferences: JsonObject[]) => object('Job', { ownerReferences });
const owns = [{ apiVersion: 'batch/v1', kind: 'Job' }];

test.each<[string, string[], Parameters<typeof change>]>([
  ['its controller', ['ns/a'], ['ADDED', owned(reference('a', true), reference('b', false))]],
  ['a controller of another kind', [], ['ADDED', owned(reference('a', true, 'Site'))]],
  ['a controller of another group', [], ['ADDED', owned(reference('a', true, 'Database', 'other.com'))]],
  ['a new status', ['ns/a'], ['MODIFIED', { ...owned(reference('a', true)), ...status }, owned(reference('a', true))]],
  ['another controller', ['ns/b', 'ns/a'], ['MODIFIED', owned(reference('b', true)), owned(reference('a', true))]],
  ['a version only', [], ['MODIFIED', owned(reference('a', true)), owned(reference('a', true))]],
])('maps changes of owned objects: %s', (_, names, of) => {
  expect(asked({ for: DB, owns }, ...of)).toEqual(names);
});

type Map = NonNullable<DeclarationInput['watches']>[number]['map'];
const pod = (metadata: JsonObject, spec: JsonObject = {}) => object('Pod', metadata, { spec });
const volumes = ['a', 'b', 'a'].map((name) => ({ secret: { name } }));

test.each<[string, Map, JsonObject, string[]]>([
  [
    'every owner',
    { owner: true },
    pod({ ownerReferences: [reference('a', false), reference('b', true)] }),
    ['ns/a', 'ns/b'],
  ],
  ['a label', { label: 'db' }, pod({ labels: { db: 'a' } }), ['ns/a']],
  ['a missing label', { label: 'constructor' }, pod({ labels: { db: 'a' } }), []],
  ['a label with a namespace', { label: 'db', namespaceLabel: 'in' }, pod({ labels: { db: 'a', in: 'o' } }), ['o/a']],
  ['an annotation', { annotation: 'db' }, pod({ annotations: { db: 'a' } }), ['ns/a']],
  ['a field', { field: 'spec.db' }, pod({}, { db: 'a' }), ['ns/a']],
  ['a field of a list', { field: 'spec.volumes[].secret.name' }, pod({}, { volumes }), ['ns/a', 'ns/b']],
  ['a field and a namespace', { field: 'spec.db', namespaceField: 'spec.in' }, pod({}, { db: 'a', in: 'o' }), ['o/a']],
  ['a field that is not a string', { field: 'spec' }, pod({}, { db: 'a' }), []],
])('maps changes of watched objects by %s', (_, map, of, names) => {
  expect(asked({ for: DB, watches: [{ apiVersion: 'v1', kind: 'Pod', map }] }, 'ADDED', of)).toEqual(names);
});

test('maps to cluster-scoped objects without a namespace', () => {
  const site = { apiVersion: 'example.com/v1', kind: 'Site', clusterScoped: true };
  expect(asked({ for: site, owns }, 'ADDED', owned(reference('a', true, 'Site')))).toEqual(['/a']);
  expect(asked({ for: site }, 'ADDED', object('Site'))).toEqual(['/x']);
});

test('finds Events in the group that stores them', () => {
  expect(asked({ for: { apiVersion: 'events.k8s.io/v1', kind: 'Event' } }, 'ADDED', object('Event'))).toEqual(['ns/x']);
});
