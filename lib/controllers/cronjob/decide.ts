import type { CronJob } from '#lib/api/types/batch.v1.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { parseCron } from '#lib/server/registry/kinds/batch/cron.ts';
import { isTimeZone } from '#lib/server/registry/kinds/batch/time-zone.ts';
import { jobName } from './jobs.ts';
import { missedSince, untilNext } from './missed.ts';
import { type Next, nextOf } from './schedule.ts';
import { secondsOf } from './time.ts';

/** The next step of a cron job, and the `events` to record. */
export interface Decision {
  /** The scheduled time of the job to run, in seconds since 1970. */
  readonly run?: number;
  /** Whether running jobs are deleted first. */
  readonly replaces?: boolean;
  /** The time in seconds until the next reconciliation. If undefined, only a change triggers one. */
  readonly wait?: number | undefined;
  readonly events: readonly EventText[];
}

const warning = (reason: string, message: string): EventText => ({ type: 'Warning', reason, message });
const SUSPENDED: Decision = { events: [] };

/** Upstream's syncCronJob after it has listed the jobs. `now` is in seconds since 1970. */
export function decide(cronJob: CronJob, now: number): Decision {
  const { schedule, timeZone: zone, suspend } = cronJob.spec;
  if (isDeleting(cronJob)) return SUSPENDED;
  if (zone !== undefined && zone !== '' && !isTimeZone(zone)) {
    return { events: [warning('UnknownTimeZone', `invalid timeZone: "${zone}": unknown time zone ${zone}`)] };
  }
  if (suspend === true) return SUSPENDED;
  const hasZone = schedule.includes('TZ');
  const events = hasZone ? [warning('UnsupportedSchedule', unsupported(schedule))] : [];
  const parsed = parseCron(schedule);
  if (typeof parsed === 'string') {
    return { events: [...events, warning('UnparseableSchedule', `unparseable schedule: "${schedule}" : ${parsed}`)] };
  }
  const decision = due(cronJob, now, nextOf(parsed, hasZone ? '' : (zone ?? '')));
  return { ...decision, events: [...events, ...decision.events] };
}

const unsupported = (schedule: string): string =>
  `CRON_TZ or TZ used in schedule "${schedule}" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`;

const NEVER = 'time difference between two schedules is less than 1 second';
const MANY = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';

function due(cronJob: CronJob, now: number, next: Next): Decision {
  const { recent, missed, isNever } = missedSince(cronJob, now, next, true);
  if (isNever) {
    const { schedule } = cronJob.spec;
    return { events: [warning('InvalidSchedule', `invalid schedule: ${schedule} : ${NEVER}`)] };
  }
  const wait = untilNext(cronJob, now, next);
  if (recent === undefined) return { wait, events: [] };
  const events = missed === 'many' ? [warning('TooManyMissedTimes', MANY)] : [];
  const { events: told, ...what } = start(cronJob, recent);
  return { ...what, wait, events: [...events, ...told] };
}

/** The decision about the run scheduled for `time`, which is within the deadline. */
function start(cronJob: CronJob, time: number): Decision {
  const { concurrencyPolicy: policy } = cronJob.spec;
  const { active = [], lastScheduleTime } = cronJob.status;
  const isDone = secondsOf(lastScheduleTime) === time;
  if (isDone || active.some(({ name }) => name === jobName(cronJob, time))) return { events: [] };
  if (policy === 'Forbid' && active.length > 0) return { events: [ALREADY_ACTIVE] };
  return { run: time, replaces: policy === 'Replace', events: [] };
}

const ALREADY_ACTIVE: EventText = {
  type: 'Normal',
  reason: 'JobAlreadyActive',
  message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
};
