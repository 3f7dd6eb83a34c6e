import { expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { OwnerReference } from '#lib/machinery/meta.ts';
import { blocking, type Decision, type Dependent, decideDependent, type Owner, type OwnerState } from './decide.ts';

const reference = (uid: string, blockOwnerDeletion = false): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  controller: false,
  blockOwnerDeletion,
});
const owners = (...states: OwnerState[]): Owner[] =>
  states.map((state, i) => ({ reference: reference(`${state}-${i}`), state }));
const object = (...finalizers: string[]): JsonObject => ({ metadata: { name: 'x', finalizers } });
const dependent = (foreground: boolean): Dependent => ({ owners: [], foreground });
const deletes = (policy: 'Background' | 'Foreground' | 'Orphan', unblock = false): Decision => ({
  action: 'delete',
  policy,
  unblock,
});

test.each<[string, JsonObject, Owner[], Dependent[], Decision]>([
  ['no owner', object(), [], [], { action: 'keep' }],
  ['a solid owner', object(), owners('solid'), [], { action: 'keep' }],
  ['solid and dangling owners', object(), owners('solid', 'dangling'), [], { action: 'release', uids: ['dangling-1'] }],
  [
    'solid, waiting and dangling owners',
    object(),
    owners('waiting', 'solid', 'dangling'),
    [],
    { action: 'release', uids: ['waiting-0', 'dangling-2'] },
  ],
  ['only dangling owners', object(), owners('dangling', 'dangling'), [], deletes('Background')],
  ['a dangling owner and the orphan finalizer', object('orphan'), owners('dangling'), [], deletes('Orphan')],
  [
    'a dangling owner and the foregroundDeletion finalizer',
    object('foregroundDeletion'),
    owners('dangling'),
    [],
    deletes('Foreground'),
  ],
  ['a waiting owner and no dependents', object(), owners('waiting', 'dangling'), [], deletes('Background')],
  ['a waiting owner and dependents', object(), owners('waiting'), [dependent(false)], deletes('Foreground')],
  [
    'a waiting owner and a dependent that waits itself',
    object(),
    owners('waiting'),
    [dependent(false), dependent(true)],
    deletes('Foreground', true),
  ],
  ['a dangling owner and dependents', object(), owners('dangling'), [dependent(true)], deletes('Background')],
])('decides about an object with %s', (_name, given, all, dependents, expected) => {
  expect(decideDependent(given, all, dependents)).toEqual(expected);
});

test('an owner is blocked only by references to it with blockOwnerDeletion', () => {
  const all = [
    [reference('a', true)],
    [reference('a')],
    [reference('b', true)],
    [reference('b'), reference('a', true)],
  ];
  const dependents = all.map((of) => ({ owners: of, foreground: false }));
  expect(blocking('a', dependents)).toEqual([dependents[0], dependents[3]]);
});
