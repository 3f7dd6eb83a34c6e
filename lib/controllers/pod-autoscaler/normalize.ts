import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingPolicy,
  HPAScalingRules,
} from '#lib/api/types/autoscaling.v2.ts';
import type { History } from './history.ts';

/** The current and the desired number of replicas, and their bounds. */
export interface Wish {
  readonly current: number;
  readonly desired: number;
  readonly min: number;
  readonly max: number;
  /** The current time in ms since 1970. */
  readonly now: number;
}

/** A number of replicas, with the reason and message of its condition. */
export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

/** A wish after stabilization, and after the limits. */
export interface Normalized {
  readonly stabilized: Limited;
  readonly limited: Limited;
}

const SECOND = 1000;
/** The window in seconds: upstream's --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWN_WINDOW = 300;

/** Reasons of conditions, with their messages. */
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

/** Limits a wish with the windows and rates of `behavior`, or with upstream's fixed ones if it is absent. */
export function normalize(
  wish: Wish,
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  history: History,
): Normalized {
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

function stabilize(wish: Wish, behavior: HorizontalPodAutoscalerBehavior, { recommendations }: History): number {
  const within = (direction: 'scaleUp' | 'scaleDown', standard: number): readonly number[] => {
    const seconds = behavior[direction]?.stabilizationWindowSeconds ?? standard;
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

function byBehavior(wish: Wish, behavior: HorizontalPodAutoscalerBehavior, history: History): Limited {
  const { current, desired, min, max } = wish;
  if (desired > current) {
    const rate = Math.max(current, rateLimit(wish, behavior.scaleUp, history, UP));
    const most = Math.min(max, rate);
    if (desired > most) return limited(most, max > rate ? 'ScaleUpLimit' : 'TooManyReplicas');
  } else if (desired < current) {
    const rate = Math.min(current, rateLimit(wish, behavior.scaleDown, history, DOWN));
    const least = Math.max(min, rate);
    if (desired < least) return limited(least, min < rate ? 'ScaleDownLimit' : 'TooFewReplicas');
  }
  return limited(desired, 'DesiredWithinRange');
}

interface Direction {
  readonly sign: 1 | -1;
  round(value: number): number;
  /** Selects the limit that allows the largest change. */
  most(...values: number[]): number;
  least(...values: number[]): number;
}
const UP: Direction = { sign: 1, round: Math.ceil, most: Math.max, least: Math.min };
const DOWN: Direction = { sign: -1, round: Math.trunc, most: Math.min, least: Math.max };

/** The number of replicas that the policies allow, relative to the number at the start of each policy's period. */
function rateLimit(wish: Wish, rules: HPAScalingRules | undefined, { events }: History, direction: Direction): number {
  const select = rules?.selectPolicy;
  if (select === 'Disabled') return wish.current;
  const limits = policiesOf(rules, direction).map(({ type, value: size, periodSeconds }) => {
    const since = wish.now - periodSeconds * SECOND;
    const changed = events.filter(({ time }) => time > since).reduce((sum, { change }) => sum + change, 0);
    const start = wish.current - changed;
    const value = direction.sign * size;
    return type === 'Pods' ? start + value : direction.round(start * (1 + value / 100));
  });
  return select === 'Min' ? direction.least(...limits) : direction.most(...limits);
}

const PERCENT = { type: 'Percent', value: 100, periodSeconds: 15 };
const PODS = { type: 'Pods', value: 4, periodSeconds: 15 };

function policiesOf(rules: HPAScalingRules | undefined, { sign }: Direction): readonly HPAScalingPolicy[] {
  const said = rules?.policies ?? [];
  if (said.length > 0) return said;
  return sign > 0 ? [PODS, PERCENT] : [PERCENT];
}
