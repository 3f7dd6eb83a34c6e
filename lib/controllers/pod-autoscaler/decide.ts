import type { HorizontalPodAutoscaler } from '#lib/api/types/autoscaling.v2.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { defined } from '#lib/machinery/defined.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import type { Condition } from './conditions.ts';
import { type History, recommended } from './history.ts';
import type { Failed, Measured } from './measure.ts';
import { normalize } from './normalize.ts';
import type { Tolerances } from './replicas.ts';

/** Upstream's --horizontal-pod-autoscaler-tolerance. */
const TOLERANCE = 0.1;

/** The minimum and maximum number of replicas. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** The bounds that an autoscaler sets. */
export const boundsOf = ({ spec }: HorizontalPodAutoscaler): Bounds => ({
  min: spec.minReplicas ?? 1,
  max: spec.maxReplicas,
});

/** The tolerances that an autoscaler sets, or upstream's defaults. Throws QuantityError. */
export function tolerancesOf({ spec: { behavior } }: HorizontalPodAutoscaler): Tolerances {
  const share = (tolerance: Quantity | undefined): number =>
    tolerance === undefined ? TOLERANCE : Number(quantityMilliValue(parseQuantity(tolerance))) / 1000;
  return { down: share(behavior?.scaleDown?.tolerance), up: share(behavior?.scaleUp?.tolerance) };
}

/** The outcome of one reconciliation. `replicas` is the wanted number, undefined if it cannot be determined. */
export interface Decision {
  readonly replicas: number | undefined;
  readonly reason: string;
  readonly conditions: readonly Condition[];
  readonly history: History;
  /** The message about metrics that could not be read. */
  readonly failure?: string;
}

/** The decision if no metric is needed. Undefined if metrics decide. */
export function withoutMetrics(current: number, { min, max }: Bounds, history: History): Decision | undefined {
  const said = (replicas: number, reason: string): Decision => ({ replicas, reason, conditions: [], history });
  if (current === 0) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    const disabled: Condition = { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message };
    return { ...said(0, ''), conditions: [disabled] };
  }
  if (current > max) return said(max, 'Current number of replicas above Spec.MaxReplicas');
  return current < min ? said(min, 'Current number of replicas below Spec.MinReplicas') : undefined;
}

/** An autoscaler, and the current number of replicas. */
export interface Look {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly current: number;
  readonly history: History;
  /** The current time in ms since 1970. */
  readonly now: number;
}

const isFailed = (one: Measured | Failed): one is Failed => 'why' in one;
const isMeasured = (one: Measured | Failed): one is Measured => !isFailed(one);

/** The decision based on metrics. The highest proposal wins, unless it would scale down while other metrics cannot be read. */
export function byMetrics(
  { autoscaler, current, history, now }: Look,
  found: readonly (Measured | Failed)[],
): Decision {
  const failed = found.filter(isFailed);
  const measured = found.filter(isMeasured).sort((a, b) => b.replicas - a.replicas);
  const [most] = measured;
  const [first] = failed;
  const failure =
    first && `invalid metrics (${failed.length} invalid out of ${found.length}), first error is: ${first.message}`;
  if (most === undefined || (first !== undefined && most.replicas < current)) {
    const message = `the HPA was unable to compute the replica count: ${first?.why}`;
    const inactive: Condition = { type: 'ScalingActive', status: 'False', reason: first?.reason ?? '', message };
    return { replicas: undefined, reason: '', conditions: [inactive], history, failure: failure ?? '' };
  }
  const { min, max } = boundsOf(autoscaler);
  const { behavior } = autoscaler.spec;
  const wish = { current, desired: most.replicas, min, max, now };
  const { stabilized, limited } = normalize(wish, behavior, history);
  const isLimited = limited.replicas !== stabilized.replicas;
  return {
    replicas: limited.replicas,
    reason:
      most.replicas > current ? `${most.name} above target` : most.replicas < current ? 'All metrics below target' : '',
    history: recommended(history, most.replicas, now),
    conditions: [
      {
        type: 'ScalingActive',
        status: 'True',
        reason: 'ValidMetricFound',
        message: `the HPA was able to successfully calculate a replica count from ${most.name}`,
      },
      { type: 'AbleToScale', status: 'True', reason: stabilized.reason, message: stabilized.message },
      {
        type: 'ScalingLimited',
        status: isLimited ? 'True' : 'False',
        reason: limited.reason,
        message: limited.message,
      },
    ],
    ...defined({ failure }),
  };
}
