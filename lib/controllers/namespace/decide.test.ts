import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Namespace, Pod } from '#lib/api/types/core.v1.ts';
import { NAMESPACES, PODS } from '#lib/api/types/resources.ts';
import { estimate, isEmpty, podGrace, type Remaining, type Sweep, withConditions } from './decide.ts';

const DELETED_AT = Date.parse('2026-01-01T00:00:00Z');
const namespace = decodedAs(NAMESPACES, { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } });
const left = (of: Partial<Remaining> = {}): Remaining => ({
  resource: PODS,
  count: 1,
  finalizers: [[]],
  graceSeconds: 0,
  ...of,
});
const sweep = (of: Partial<Sweep> = {}): Sweep => ({ errors: [], remaining: [], ...of });

/** The namespace after a pass that changes its conditions. */
function written(before: Namespace, after: Sweep, seconds: number): Namespace {
  const next = withConditions(before, after, new Date(DELETED_AT + seconds * 1000));
  if (next === undefined) throw new TypeError('no condition changed');
  return next;
}
const conditionOf = ({ status }: Namespace, type: string) => status.conditions?.find((one) => one.type === type);

describe('the conditions of a namespace', () => {
  test.each<[string, Sweep, string, [string, string]]>([
    ['no content left', sweep(), 'NamespaceContentRemaining', ['False', 'All content successfully removed']],
    ['failed discovery', sweep({ discoveryError: 'down' }), 'NamespaceDeletionDiscoveryFailure', ['True', 'down']],
    [
      'failed deletes, sorted',
      sweep({ errors: ['b', 'a'] }),
      'NamespaceDeletionContentFailure',
      ['True', 'Failed to delete all resource types, 2 remaining: a, b'],
    ],
    [
      'objects left for no known reason',
      sweep({ remaining: [left()] }),
      'NamespaceDeletionContentFailure',
      [
        'True',
        'Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: x for gvr: /v1, Resource=pods',
      ],
    ],
    [
      'several resources left',
      sweep({ remaining: [left({ count: 2 }), left({ resource: { ...PODS, group: 'a.b', resource: 'as' } })] }),
      'NamespaceContentRemaining',
      ['True', 'Some resources are remaining: as.a.b has 1 resource instances, pods. has 2 resource instances'],
    ],
    [
      'remaining finalizers',
      sweep({ remaining: [left({ finalizers: [['f/a', 'f/b'], ['f/a']] })] }),
      'NamespaceFinalizersRemaining',
      [
        'True',
        'Some content in the namespace has finalizers remaining: f/a in 2 resource instances, f/b in 1 resource instances',
      ],
    ],
    [
      'only pods deleted so far',
      sweep({ podsOnly: true, remaining: [left({ finalizers: [['f/a']] })] }),
      'NamespaceContentRemaining',
      ['False', 'All content successfully removed'],
    ],
  ])('report a pass with %s', (_name, given, type, [status, message]) => {
    const next = written(namespace, given, 0);
    expect(conditionOf(next, type)).toMatchObject({ status, message });
    expect(withConditions(next, given, new Date(DELETED_AT + 5000))).toBeUndefined();
  });

  test('change their transition time only with their status', () => {
    const first = written(namespace, sweep({ errors: ['a'] }), 0);
    const second = written(first, sweep({ errors: ['b'] }), 5);
    const third = written(second, sweep(), 9);
    const times = [first, second, third].map(
      (object) => conditionOf(object, 'NamespaceDeletionContentFailure')?.lastTransitionTime,
    );
    expect(times).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-01T00:00:09Z']);
  });
});

test.each<[string, Remaining[], number, number]>([
  ['an empty namespace', [], 0, 0],
  ['a running pod', [left({ graceSeconds: 30 })], 10, 30],
  ['a pod beyond its grace period', [left({ graceSeconds: 30 })], 31, 0],
  ['a finalizer', [left({ finalizers: [['f/a']] })], 100, 15],
  ['several resources, by the longest', [left({ graceSeconds: 30 }), left({ finalizers: [['f/a']] })], 1, 30],
])('estimates the seconds for %s', (_name, remaining, passed, expected) => {
  expect(estimate(namespace, sweep({ remaining }), DELETED_AT + passed * 1000)).toBe(expected);
});

test('uses the grace period of running pods', () => {
  const pod = (seconds: number, phase: string): Pod =>
    decodedAs(PODS, { spec: { terminationGracePeriodSeconds: seconds }, status: { phase } });
  expect(podGrace([pod(5, 'Running'), pod(60, 'Failed'), pod(60, 'Succeeded')])).toBe(5);
  expect(podGrace([])).toBe(0);
});

test.each<[Partial<Sweep>, boolean]>([
  [{}, true],
  [{ errors: ['a'] }, false],
  [{ discoveryError: 'a' }, false],
  [{ remaining: [left()] }, false],
])('isEmpty for a pass with %j is %s', (of, expected) => expect(isEmpty(sweep(of))).toBe(expected));
