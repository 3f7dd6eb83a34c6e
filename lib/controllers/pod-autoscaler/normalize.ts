import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, integer, items, text } from '#lib/machinery/unstructured.ts';
import type { History } from './history.ts';

export interface Wish {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
  readonly now: number;
}

export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

/** What becomes of a wish: first of what was recommended before, then of the limits. */
export interface Normalized {
  readonly stabilized: Limited;
  readonly limited: Limited;
}

const SECOND = 1000;
/** Seconds: upstream's --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWN_WINDOW = 300;

/** Reasons of conditions, with what they say. */
const MESSAGES = {
  ScaleUpStabilized: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
  ScaleDownStabilized:
    'recent recommendations were higher than current one, applying the highest recent recommendation',
  ReadyForNewScale: 'recommended size matches current size',
  DesiredWithinRange: 'the desired count is within the acceptable range',
  ScaleUpLimit: 'the desired replica count is increasing faster than the maximum scale rate',
  ScaleDownLimit: 'the desired replica count is decreasing faster than the maximum scale rate',
  TooManyReplicas: 'the desired replica count is more than the maximum replica count',
  TooFewReplicas: 'the desired replica count is less than the minimum replica count',
};

const limited = (replicas: number, reason: keyof typeof MESSAGES): Limited => ({
  replicas,
  reason,
  message: MESSAGES[reason],
});

/** `behavior` is what the autoscaler says of rates and windows; without it upstream's fixed ones hold. */
export function normalize(wish: Wish, behavior: JsonObject | undefined, history: History): Normalized {
  const replicas = behavior === undefined ? highest(wish, history, DOWN_WINDOW) : stabilize(wish, behavior, history);
  const isRising = behavior !== undefined && wish.desired >= wish.current;
  const held = isRising ? 'ScaleUpStabilized' : 'ScaleDownStabilized';
  const stable = { ...wish, desired: replicas };
  return {
    stabilized: limited(replicas, replicas === wish.desired ? 'ReadyForNewScale' : held),
    limited: behavior === undefined ? byRules(stable) : byBehavior(stable, behavior, history),
  };
}

function highest({ desired, now }: Wish, { recommendations }: History, window: number): number {
  const held = recommendations.filter(({ time }) => time >= now - window * SECOND);
  return Math.max(desired, ...held.map(({ replicas }) => replicas));
}

function stabilize(wish: Wish, behavior: JsonObject, { recommendations }: History): number {
  const within = (direction: string, standard: number): readonly number[] => {
    const seconds = Number(integer(objectAt(behavior, direction), 'stabilizationWindowSeconds') ?? standard);
    return recommendations.filter(({ time }) => time > wish.now - seconds * SECOND).map(({ replicas }) => replicas);
  };
  const up = Math.min(wish.desired, ...within('scaleUp', 0));
  const down = Math.max(wish.desired, ...within('scaleDown', DOWN_WINDOW));
  return Math.min(Math.max(wish.current, up), down);
}

function byRules({ current, desired, min, max }: Wish): Limited {
  const rate = Math.max(2 * current, 4);
  if (desired < min) return limited(min, 'TooFewReplicas');
  const most = Math.min(max, rate);
  if (desired > most) return limited(most, max > rate ? 'ScaleUpLimit' : 'TooManyReplicas');
  return limited(desired, 'DesiredWithinRange');
}

function byBehavior(wish: Wish, behavior: JsonObject, history: History): Limited {
  const { current, desired, min, max } = wish;
  if (desired > current) {
    const rate = Math.max(current, rateLimit(wish, objectAt(behavior, 'scaleUp'), history, UP));
    const most = Math.min(max, rate);
    if (desired > most) return limited(most, max > rate ? 'ScaleUpLimit' : 'TooManyReplicas');
  } else if (desired < current) {
    const rate = Math.min(current, rateLimit(wish, objectAt(behavior, 'scaleDown'), history, DOWN));
    const least = Math.max(min, rate);
    if (desired < least) return limited(least, min < rate ? 'ScaleDownLimit' : 'TooFewReplicas');
  }
  return limited(desired, 'DesiredWithinRange');
}

interface Direction {
  readonly sign: 1 | -1;
  round(value: number): number;
  /** Of several limits the one that lets change most. */
  most(...values: number[]): number;
  least(...values: number[]): number;
}
const UP: Direction = { sign: 1, round: Math.ceil, most: Math.max, least: Math.min };
const DOWN: Direction = { sign: -1, round: Math.trunc, most: Math.min, least: Math.max };

/** How far the policies let it go, counted from what there was when each one's period began. */
function rateLimit(wish: Wish, rules: JsonObject | undefined, { events }: History, direction: Direction): number {
  const select = text(rules, 'selectPolicy');
  if (select === 'Disabled') return wish.current;
  const limits = policiesOf(rules, direction).map((policy) => {
    const since = wish.now - Number(count(policy, 'periodSeconds')) * SECOND;
    const changed = events.filter(({ time }) => time > since).reduce((sum, { change }) => sum + change, 0);
    const start = wish.current - changed;
    const value = direction.sign * Number(count(policy, 'value'));
    return text(policy, 'type') === 'Pods' ? start + value : direction.round(start * (1 + value / 100));
  });
  return select === 'Min' ? direction.least(...limits) : direction.most(...limits);
}

const PERCENT = { type: 'Percent', value: 100, periodSeconds: 15 };
const PODS = { type: 'Pods', value: 4, periodSeconds: 15 };

function policiesOf(rules: JsonObject | undefined, { sign }: Direction): readonly JsonObject[] {
  const said = items(rules, 'policies');
  if (said.length > 0) return said;
  return sign > 0 ? [PODS, PERCENT] : [PERCENT];
}

/** The tolerance of one direction, where the autoscaler says one. */
export const toleranceText = (autoscaler: JsonObject, direction: string): string =>
  text(at(objectAt(autoscaler, 'spec'), 'behavior', direction), 'tolerance');
