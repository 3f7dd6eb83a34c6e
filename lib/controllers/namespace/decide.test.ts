import { describe, expect, test } from 'vitest';
import { arrayAt, isObject, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { estimate, isEmpty, podGrace, withConditions, type Remaining, type Sweep } from './decide.ts';

const DELETED_AT = Date.parse('2026-01-01T00:00:00Z');
const namespace: JsonObject = { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } };
const PODS = { group: '', version: 'v1', resource: 'pods' };
const left = (of: Partial<Remaining> = {}): Remaining => ({
  resource: PODS,
  count: 1,
  finalizers: [[]],
  graceSeconds: 0,
  ...of,
});
const sweep = (of: Partial<Sweep> = {}): Sweep => ({ errors: [], remaining: [], ...of });

function conditionsOf(object: JsonObject | undefined): Record<string, [string, string]> {
  const conditions = arrayAt(objectAt(object, 'status'), 'conditions').filter(isObject);
  return Object.fromEntries(conditions.map((c) => [c['type'], [String(c['status']), String(c['message'])]]));
}

describe('conditions', () => {
  test.each<[string, Sweep, string, [string, string]]>([
    ['nothing left', sweep(), 'NamespaceContentRemaining', ['False', 'All content successfully removed']],
    ['no discovery', sweep({ discoveryError: 'down' }), 'NamespaceDeletionDiscoveryFailure', ['True', 'down']],
    [
      'failed deletes, sorted',
      sweep({ errors: ['b', 'a'] }),
      'NamespaceDeletionContentFailure',
      ['True', 'Failed to delete all resource types, 2 remaining: a, b'],
    ],
    [
      'left for no reason',
      sweep({ remaining: [left()] }),
      'NamespaceDeletionContentFailure',
      [
        'True',
        'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: x for gvr: /v1, Resource=pods',
      ],
    ],
    [
      'several resources',
      sweep({ remaining: [left({ count: 2 }), left({ resource: { ...PODS, group: 'a.b', resource: 'as' } })] }),
      'NamespaceContentRemaining',
      ['True', 'Some resources are remaining: as.a.b has 1 resource instances, pods. has 2 resource instances'],
    ],
    [
      'finalizers',
      sweep({ remaining: [left({ finalizers: [['f/a', 'f/b'], ['f/a']] })] }),
      'NamespaceFinalizersRemaining',
      [
        'True',
        'Some content in the namespace has finalizers remaining: f/a in 2 resource instances, f/b in 1 resource instances',
      ],
    ],
    [
      'pods first: no totals',
      sweep({ podsOnly: true, remaining: [left({ finalizers: [['f/a']] })] }),
      'NamespaceContentRemaining',
      ['False', 'All content successfully removed'],
    ],
  ])('%s', (_name, given, type, expected) => {
    const next = withConditions(namespace, given, new Date(DELETED_AT));
    expect(conditionsOf(next)[type]).toEqual(expected);
    expect(withConditions(next as JsonObject, given, new Date(DELETED_AT + 5000))).toBeUndefined();
  });

  test('the time of a condition changes with its status alone', () => {
    const first = withConditions(namespace, sweep({ errors: ['a'] }), new Date(DELETED_AT)) as JsonObject;
    const second = withConditions(first, sweep({ errors: ['b'] }), new Date(DELETED_AT + 5000)) as JsonObject;
    const third = withConditions(second, sweep(), new Date(DELETED_AT + 9000)) as JsonObject;
    const times = [first, second, third].map((object) => {
      const conditions = arrayAt(objectAt(object, 'status'), 'conditions').filter(isObject);
      return conditions.find((c) => c['type'] === 'NamespaceDeletionContentFailure')?.['lastTransitionTime'];
    });
    expect(times).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:09Z']);
  });
});

test.each<[string, Remaining[], number, number]>([
  ['nothing', [], 0, 0],
  ['a running pod', [left({ graceSeconds: 30 })], 10, 30],
  ['a pod beyond its grace', [left({ graceSeconds: 30 })], 31, 0],
  ['a finalizer', [left({ finalizers: [['f/a']] })], 100, 15],
  ['the longest', [left({ graceSeconds: 30 }), left({ finalizers: [['f/a']] })], 1, 30],
])('estimate of %s', (_name, remaining, passed, expected) => {
  expect(estimate(namespace, sweep({ remaining }), DELETED_AT + passed * 1000)).toBe(expected);
});

test('grace of pods that still run', () => {
  const pod = (seconds: number, phase: string): JsonObject => ({
    spec: { terminationGracePeriodSeconds: seconds },
    status: { phase },
  });
  expect(podGrace([pod(5, 'Running'), pod(60, 'Failed'), pod(60, 'Succeeded')])).toBe(5);
  expect(podGrace([])).toBe(0);
});

test.each<[Partial<Sweep>, boolean]>([
  [{}, true],
  [{ errors: ['a'] }, false],
  [{ discoveryError: 'a' }, false],
  [{ remaining: [left()] }, false],
])('empty %j: %s', (of, expected) => expect(isEmpty(sweep(of))).toBe(expected));
