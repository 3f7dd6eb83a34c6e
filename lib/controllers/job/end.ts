import type { JobStatus } from '#lib/api/types/batch.v1.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { verdictOn } from './failure-policy.ts';
import { numberOf } from './indexes.ts';
import { isFailed } from './pod.ts';
import { metRule } from './success-policy.ts';
import type { View } from './view.ts';

/** The end of a job. */
export interface End {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

/** The type of the condition set before the final one, until all pods are counted. */
export const interimOf = ({ type }: End): string => (type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget');

const failed = (reason: string, message: string): End => ({ type: 'Failed', reason, message });

/** The end of a job whose pods have succeeded. */
export const REACHED: End = {
  type: 'Complete',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/**
 * The end of the job, regardless of its remaining pods. Undefined if it continues. An earlier decision stands, and failures take
 * precedence.
 */
export function endOf(view: View, startTime: string | undefined): End | undefined {
  return decided(view) ?? byFailures(view, startTime) ?? byIndexes(view) ?? bySuccessPolicy(view);
}

function decided({ job: { status } }: View): End | undefined {
  for (const type of ['Complete', 'Failed'] as const) {
    const condition = findCondition(status.conditions, interimOf({ type, reason: '', message: '' }));
    if (condition?.status === 'True') return { type, reason: condition.reason ?? '', message: condition.message ?? '' };
  }
  return undefined;
}

function byFailures(view: View, startTime: string | undefined): End | undefined {
  const { spec, pods, now } = view;
  for (const pod of spec.failureRules === undefined ? [] : pods.filter((one) => isFailed(one, spec))) {
    const why = verdictOn(pod, spec.failureRules).failsJob;
    if (why !== undefined) return failed('PodFailurePolicy', why);
  }
  if (view.failed > spec.backoffLimit || restartedTooOften(view))
    return failed('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  return (untilDeadline(view, startTime, now) ?? 1) <= 0
    ? failed('DeadlineExceeded', 'Job was active longer than specified deadline')
    : undefined;
}

/** The time in ms that the job may still run. Undefined if it has no deadline or does not run. */
export function untilDeadline({ spec }: View, startTime: string | undefined, now: number): number | undefined {
  const { activeDeadlineSeconds: seconds, isSuspended } = spec;
  if (seconds === undefined || startTime === undefined || isSuspended) return undefined;
  return Date.parse(startTime) + seconds * 1000 - now;
}

/** Whether containers that restart in place have failed too often. Each restart counts as a failure. */
function restartedTooOften({ spec, pods }: View): boolean {
  if (!spec.restartsOnFailure) return false;
  const running = pods.filter((pod) => ['Running', 'Pending'].includes(phaseOf(pod)));
  const restarts = running.reduce((sum, pod) => sum + restartsOf(pod), 0);
  return restarts >= Math.max(1, spec.backoffLimit);
}

function restartsOf({ status: { initContainerStatuses = [], containerStatuses = [] } }: Pod): number {
  return [...initContainerStatuses, ...containerStatuses].reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function byIndexes({ spec, failedIndexes, completed }: View): End | undefined {
  if (failedIndexes === undefined) return undefined;
  const number = numberOf(failedIndexes);
  if (number > (spec.maxFailedIndexes ?? Infinity))
    return failed('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  const isOver = number > 0 && number + numberOf(completed) >= (spec.completions ?? 0);
  return isOver ? failed('FailedIndexes', 'Job has failed indexes') : undefined;
}

function bySuccessPolicy({ spec, completed }: View): End | undefined {
  const message = spec.isIndexed ? metRule(spec.successRules, spec.completions ?? 0, completed) : undefined;
  return message === undefined ? undefined : { type: 'Complete', reason: 'SuccessPolicy', message };
}

/** Whether there are enough successes, given the number of active pods. */
export function isReached({ spec, succeeded }: View, active: number): boolean {
  return active === 0 && (spec.completions === undefined ? succeeded > 0 : succeeded >= spec.completions);
}

/** The start time of a job, undefined before its start. */
export const startTimeOf = ({ startTime }: JobStatus): string | undefined => startTime;
