import { expect, test } from 'vitest';
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '#lib/api/types/autoscaling.v2.ts';
import type { History } from './history.ts';
import { normalize } from './normalize.ts';

const NOW = 10_000_000;
const ago = (seconds: number): number => NOW - seconds * 1000;
const history = (recommendations: [number, number][] = [], events: [number, number][] = []): History => ({
  recommendations: recommendations.map(([seconds, replicas]) => ({ time: ago(seconds), replicas })),
  events: events.map(([seconds, change]) => ({ time: ago(seconds), change })),
});
const outcome = (
  current: number,
  desired: number,
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  held = history(),
  [min, max] = [1, 100],
) => {
  const { stabilized, limited } = normalize(
    { current, desired, min: min ?? 1, max: max ?? 100, now: NOW },
    behavior,
    held,
  );
  return [limited.replicas, stabilized.reason, limited.reason];
};

test.each<[string, number, number, History, [number, number], unknown]>([
  ['to the desired number', 5, 7, history(), [1, 100], [7, 'ReadyForNewScale', 'DesiredWithinRange']],
  ['to at most twice as many', 5, 50, history(), [1, 100], [10, 'ReadyForNewScale', 'ScaleUpLimit']],
  ['to at least four', 1, 50, history(), [1, 100], [4, 'ReadyForNewScale', 'ScaleUpLimit']],
  ['to the maximum', 5, 9, history(), [1, 8], [8, 'ReadyForNewScale', 'TooManyReplicas']],
  ['to the minimum', 5, 1, history(), [3, 8], [3, 'ReadyForNewScale', 'TooFewReplicas']],
  [
    'to the highest recent recommendation',
    5,
    2,
    history([[299, 4]]),
    [1, 8],
    [4, 'ScaleDownStabilized', 'DesiredWithinRange'],
  ],
  ['to no expired recommendation', 5, 2, history([[301, 4]]), [1, 8], [2, 'ReadyForNewScale', 'DesiredWithinRange']],
])('scales without a behavior %s', (_, current, desired, held, bounds, expected) =>
  expect(outcome(current, desired, undefined, held, bounds)).toEqual(expected),
);

const rules = (scaleUp: HPAScalingRules, scaleDown: HPAScalingRules = {}): HorizontalPodAutoscalerBehavior => ({
  scaleUp,
  scaleDown,
});
const policy = (type: string, value: number, periodSeconds = 60) => ({ type, value, periodSeconds });
const two = [policy('Pods', 4), policy('Percent', 50)];

test.each<[string, number, number, HorizontalPodAutoscalerBehavior, History, unknown]>([
  ['at the default rates', 10, 50, rules({}), history(), [20, 'ReadyForNewScale', 'ScaleUpLimit']],
  [
    'by the larger of two policies',
    10,
    50,
    rules({ policies: two }),
    history(),
    [15, 'ReadyForNewScale', 'ScaleUpLimit'],
  ],
  [
    'by the smaller of two policies',
    10,
    50,
    rules({ policies: two, selectPolicy: 'Min' }),
    history(),
    [14, 'ReadyForNewScale', 'ScaleUpLimit'],
  ],
  [
    'not at all if disabled',
    10,
    50,
    rules({ selectPolicy: 'Disabled' }),
    history(),
    [10, 'ReadyForNewScale', 'ScaleUpLimit'],
  ],
  [
    'from the number at the start of the period',
    12,
    50,
    rules({ policies: [policy('Pods', 4)] }),
    history([], [[30, 2]]),
    [14, 'ReadyForNewScale', 'ScaleUpLimit'],
  ],
  [
    'no further within the period',
    14,
    50,
    rules({ policies: [policy('Pods', 4)] }),
    history([], [[30, 4]]),
    [14, 'ReadyForNewScale', 'ScaleUpLimit'],
  ],
  [
    'again after the period',
    14,
    50,
    rules({ policies: [policy('Pods', 4)] }),
    history([], [[61, 4]]),
    [18, 'ReadyForNewScale', 'ScaleUpLimit'],
  ],
  [
    'up only after the stabilization window',
    10,
    20,
    rules({ stabilizationWindowSeconds: 60 }),
    history([[30, 12]]),
    [12, 'ScaleUpStabilized', 'DesiredWithinRange'],
  ],
  [
    'down by half',
    10,
    1,
    rules({}, { stabilizationWindowSeconds: 0, policies: [policy('Percent', 50)] }),
    history(),
    [5, 'ReadyForNewScale', 'ScaleDownLimit'],
  ],
  [
    'down by the smaller of two policies',
    10,
    1,
    rules({}, { stabilizationWindowSeconds: 0, policies: two, selectPolicy: 'Min' }),
    history(),
    [6, 'ReadyForNewScale', 'ScaleDownLimit'],
  ],
  [
    'down to the highest recent recommendation',
    10,
    1,
    rules({}),
    history([[200, 8]]),
    [8, 'ScaleDownStabilized', 'DesiredWithinRange'],
  ],
])('scales with a behavior %s', (_, current, desired, behavior, held, expected) =>
  expect(outcome(current, desired, behavior, held)).toEqual(expected),
);
