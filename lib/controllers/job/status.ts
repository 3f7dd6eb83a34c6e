import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, text } from '#lib/machinery/unstructured.ts';
import { conditionOf, conditionsOf, timeOf, type Conditions } from '../workload/conditions.ts';
import type { EventText } from '../workload/record-event.ts';
import { interimOf, startTimeOf, type End } from './end.ts';
import { isSettled } from './track.ts';
import type { View } from './view.ts';

/** Pods as they are behind what a turn has done. */
export interface Numbers {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
}

const condition = (
  type: string,
  status: string,
  { reason, message }: Pick<End, 'reason' | 'message'>,
  now: number,
) => ({
  type,
  status,
  lastProbeTime: timeOf(now),
  lastTransitionTime: timeOf(now),
  reason,
  message,
});

const conditionsIn = (status: JsonObject): Conditions => conditionsOf({ status });

/** A job starts when it is first seen not to be suspended. */
export function started({ status, spec, now }: View): JsonObject {
  return startTimeOf(status) !== undefined || spec.isSuspended ? status : { ...status, startTime: timeOf(now) };
}

export const numbered = (status: JsonObject, numbers: Numbers): JsonObject => ({ ...status, ...numbers });

/** As the API keeps it: of these fields it does not tell zero from nothing. */
export const withoutZeros = (status: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(status).filter(([field, value]) => !OMITTED.has(field) || (value !== 0 && value !== '')),
  );

const OMITTED: ReadonlySet<string> = new Set(['active', 'succeeded', 'failed', 'completedIndexes']);

const SUSPENDED = { reason: 'JobSuspended', message: 'Job suspended' };
const RESUMED = { reason: 'JobResumed', message: 'Job resumed' };

export interface Told {
  readonly status: JsonObject;
  readonly events: readonly EventText[];
}

/** A job that was never suspended says nothing of it. One that is resumed starts anew: its deadline counts from then. */
export function suspended(status: JsonObject, { spec, now }: View): Told {
  const [value, why] = spec.isSuspended ? ['True', SUSPENDED] : ['False', RESUMED];
  const before = conditionOf(conditionsIn(status), 'Suspended');
  if (before === undefined ? !spec.isSuspended : text(before, 'status') === value) return { status, events: [] };
  const { startTime: _, ...others } = status;
  const reason = spec.isSuspended ? 'Suspended' : 'Resumed';
  return {
    status: {
      ...others,
      ...(spec.isSuspended ? {} : { startTime: timeOf(now) }),
      conditions: replaced(conditionsIn(status), condition('Suspended', value, why, now)),
    },
    events: [{ type: 'Normal', reason, message: why.message }],
  };
}

function replaced(conditions: Conditions, one: JsonObject): JsonObject[] {
  const at = conditions.findIndex((other) => text(other, 'type') === text(one, 'type'));
  return at < 0 ? [...conditions, one] : conditions.with(at, one);
}

/** How it will end, as long as pods are still to be counted. */
export function ending(status: JsonObject, end: End, now: number): JsonObject {
  const type = interimOf(end);
  const conditions = conditionsIn(status);
  if (text(conditionOf(conditions, type), 'status') === 'True') return status;
  return { ...status, conditions: replaced(conditions, condition(type, 'True', end, now)) };
}

/**
 * The end, where no pod is left to be counted or to go; undefined before. It never comes before the start, also where the clock was set
 * back: the API would refuse it until the clock is there again.
 */
export function ended(status: JsonObject, end: End, { spec, now }: View): Told | undefined {
  if (!isSettled(status) || count(status, 'terminating') > 0) return undefined;
  const isComplete = end.type === 'Complete';
  const tooMany = isComplete && spec.completions !== undefined && count(status, 'succeeded') > spec.completions;
  return {
    status: {
      ...status,
      conditions: replaced(conditionsIn(status), condition(end.type, 'True', end, now)),
      ...(isComplete ? { completionTime: timeOf(Math.max(now, Date.parse(startTimeOf(status) ?? '') || now)) } : {}),
    },
    events: [
      ...(tooMany ? [TOO_MANY] : []),
      isComplete ? COMPLETED : { type: 'Warning', reason: end.reason, message: end.message },
    ],
  };
}

const TOO_MANY: EventText = {
  type: 'Warning',
  reason: 'TooManySucceededPods',
  message: 'Too many succeeded pods running after completion count reached',
};
const COMPLETED: EventText = { type: 'Normal', reason: 'Completed', message: 'Job completed' };

export const statusIn = (job: JsonObject): JsonObject => objectAt(job, 'status') ?? {};
