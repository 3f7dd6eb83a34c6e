import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { PodDisruptionBudget } from '#lib/api/types/policy.v1.ts';
import { POD_DISRUPTION_BUDGETS, PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  amounts,
  asksForScale,
  countHealthy,
  disruptedPods,
  failedStatus,
  nextStatus,
  staleMarkIn,
  withoutMark,
} from './decide.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const aBudget = (spec: JsonObject, status: JsonObject = {}): PodDisruptionBudget =>
  decodedAs(POD_DISRUPTION_BUDGETS, {
    metadata: { name: 'b', namespace: 'here', generation: 2 },
    spec,
    status,
  });
const aPod = (name: string, conditions: JsonObject[] = [{ type: 'Ready', status: 'True' }], metadata = {}): Pod =>
  decodedAs(PODS, {
    metadata: { name, uid: name, generation: 1, ...metadata },
    status: { conditions },
  });

test.each([
  ['an absolute maxUnavailable', { maxUnavailable: 2 }, [10, 8], true],
  ['a maxUnavailable above the number of pods', { maxUnavailable: 20 }, [10, 0], true],
  ['a maxUnavailable percentage, rounded up', { maxUnavailable: '25%' }, [10, 7], true],
  ['an absolute minAvailable, from the existing pods', { minAvailable: 3 }, [4, 3], false],
  ['a minAvailable percentage, from the wanted pods', { minAvailable: '55%' }, [10, 6], true],
  ['a budget without limits', {}, [0, 0], false],
])('computes the amounts for %s', (_, spec, [expectedPods, desiredHealthy], asks) => {
  expect(amounts(aBudget(spec), 4, 10)).toEqual({ expectedPods, desiredHealthy });
  expect(asksForScale(aBudget(spec))).toBe(asks);
});

describe('pods recorded as evicted', () => {
  const pods = [aPod('new'), aPod('old'), aPod('going', [], GOING), aPod('other')];
  const noted = {
    new: '2026-01-01T00:09:00Z',
    old: '2026-01-01T00:07:00Z',
    going: '2026-01-01T00:09:00Z',
    gone: '2026-01-01T00:09:00Z',
  };
  const found = disruptedPods(aBudget({}, { disruptedPods: noted }), pods, NOW);

  test('count as disrupted for two minutes or until they are deleted', () => {
    expect(found).toEqual({ pods: { new: noted.new }, overdue: [pods[1]], wait: 60_000 });
  });

  test('are not healthy while they count as disrupted', () => expect(countHealthy(pods, found.pods)).toBe(2));
});

describe('the status of a budget', () => {
  const spec = { minAvailable: 1 };
  const counted = { expectedPods: 3, desiredHealthy: 1, currentHealthy: 3, disrupted: {} };
  const first = nextStatus(aBudget(spec), counted, NOW) ?? {};

  test('shows the number of allowed disruptions', () => {
    expect(first).toEqual({
      disruptionsAllowed: 2,
      currentHealthy: 3,
      desiredHealthy: 1,
      expectedPods: 3,
      observedGeneration: 2,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          reason: 'SufficientPods',
          message: '',
          observedGeneration: 2,
          lastTransitionTime: '2026-01-01T00:10:00Z',
        },
      ],
    });
  });

  test.each([
    ['too few are healthy', { ...counted, currentHealthy: 1 }],
    ['none is expected', { ...counted, expectedPods: 0 }],
  ])('allows no disruption while %s', (_, given) => {
    const next = nextStatus(aBudget(spec, first), given, NOW + 1000);
    expect(next).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'InsufficientPods', lastTransitionTime: '2026-01-01T00:10:01Z' }],
    });
  });

  test('is written only if it changes', () =>
    expect(nextStatus(aBudget(spec, first), counted, NOW + 1000)).toBeUndefined());

  test('allows no disruption for a budget that cannot be counted, and is written once', () => {
    const failed = failedStatus(aBudget(spec, first), 'no matches', NOW) ?? {};
    expect(failed).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 3,
      conditions: [{ status: 'False', reason: 'SyncFailed', message: 'no matches' }],
    });
    expect(failedStatus(aBudget(spec, failed), 'no matches', NOW + 1000)).toBeUndefined();
  });
});

describe('a disruption mark of a pod', () => {
  const marked = (mark: JsonObject, metadata = {}): Pod =>
    aPod(
      'p',
      [{ type: 'DisruptionTarget', status: 'True', lastTransitionTime: '2026-01-01T00:09:00Z', ...mark }],
      metadata,
    );

  test.each([
    ['lapses after two minutes', marked({}), 60_000],
    ['is stale', marked({ lastTransitionTime: '2026-01-01T00:00:00Z' }), 0],
    ['set by a kubelet stays', marked({ reason: 'TerminationByKubelet' }), undefined],
    ['on a terminating pod stays', marked({}, GOING), undefined],
    ['that was withdrawn is not stale', marked({ status: 'False' }), undefined],
  ])('a disruption mark %s', (_, pod, expected) => expect(staleMarkIn(pod, NOW)).toBe(expected));

  test('is set to False when it is withdrawn', () => {
    const pod = withoutMark(marked({ reason: 'EvictionByEvictionAPI' }), NOW);
    expect(pod.status).toEqual({
      conditions: [
        {
          type: 'DisruptionTarget',
          status: 'False',
          observedGeneration: 1,
          lastProbeTime: null,
          lastTransitionTime: '2026-01-01T00:10:00Z',
        },
      ],
    });
  });
});
