import { describe, expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { CronJob, Job } from '#lib/api/types/batch.v1.ts';
import { CRON_JOBS, JOBS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { decide } from './decide.ts';
import { beyondHistory, seeJobs } from './jobs.ts';

const NOW = Date.parse('2026-05-05T10:00:30Z') / 1000;

const aCronJob = (spec: JsonObject, status: JsonObject = {}): CronJob =>
  decodedAs(CRON_JOBS, {
    metadata: { name: 'often', creationTimestamp: '2026-05-05T09:00:00Z' },
    spec: { schedule: '0 * * * *', concurrencyPolicy: 'Allow', ...spec },
    status,
  });

const DUE = Date.parse('2026-05-05T10:00:00Z') / 1000;
const FUTURE = { schedule: '30 10 * * *' };

describe('decisions about a CronJob', () => {
  test.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['runs a job that is due', {}, {}, { run: DUE, replaces: false, wait: expect.closeTo(3570.1), events: [] }],
    ['waits for a job that is not due', FUTURE, {}, { wait: expect.closeTo(1770.1), events: [] }],
    [
      'does not run the same time twice',
      {},
      { lastScheduleTime: '2026-05-05T10:00:00Z' },
      { wait: expect.closeTo(3570.1), events: [] },
    ],
    [
      'does not run a job that its status lists',
      {},
      { active: [{ name: 'often-29632920' }] },
      { wait: expect.closeTo(3570.1), events: [] },
    ],
    ['runs in its zone', { schedule: '0 6 * * *', timeZone: 'America/New_York' }, {}, { run: DUE }],
    ['runs a late job within its deadline', { startingDeadlineSeconds: 31 }, {}, { run: DUE }],
    ['creates no job while suspended', { suspend: true }, {}, { events: [] }],
    [
      'rejects an unknown time zone',
      { timeZone: 'Mars/X' },
      {},
      { events: [{ reason: 'UnknownTimeZone', message: 'invalid timeZone: "Mars/X": unknown time zone Mars/X' }] },
    ],
    [
      'rejects an invalid schedule',
      { schedule: 'often' },
      {},
      {
        events: [
          {
            reason: 'UnparseableSchedule',
            message: 'unparseable schedule: "often" : expected exactly 5 fields, found 1: [often]',
          },
        ],
      },
    ],
    [
      'prefers the zone of its schedule and warns',
      { schedule: 'TZ=Asia/Tokyo 0 19 * * *', timeZone: 'UTC' },
      {},
      { run: DUE, events: [{ reason: 'UnsupportedSchedule' }] },
    ],
  ])('a CronJob %s', (_, spec, status, expected) => {
    expect(decide(aCronJob(spec, status), NOW)).toMatchObject(expected);
  });

  test('does not start a job after its deadline', () => {
    const cronJob = aCronJob({ schedule: '0 10 * * *', startingDeadlineSeconds: 10 });
    expect(decide(cronJob, DUE + 9)).toMatchObject({ run: DUE });
    expect(decide(cronJob, DUE + 10)).not.toHaveProperty('run');
  });

  test('does not start a job while the CronJob is being deleted', () => {
    const cronJob = aCronJob({});
    const deleted = { ...cronJob.metadata, deletionTimestamp: '2026-05-05T10:00:00Z' };
    expect(decide({ ...cronJob, metadata: deleted }, NOW)).toEqual({ events: [] });
  });
});

const aJob = (name: string, type?: string, time = '2026-05-05T09:00:00Z'): Job =>
  decodedAs(JOBS, {
    metadata: { name, uid: name },
    status: {
      startTime: time,
      ...(type === 'Complete' ? { completionTime: time } : {}),
      ...(type === undefined ? {} : { conditions: [{ type, status: 'True' }] }),
    },
  });

test('updates the status for finished, deleted and unknown jobs, and the last success', () => {
  const active = ['a', 'b', 'gone', 'c'].map((uid) => ({ name: uid, uid }));
  const jobs = [
    aJob('a', 'Complete', '2026-05-05T09:30:00Z'),
    aJob('b', 'Failed'),
    aJob('c'),
    aJob('new'),
    aJob('old', 'Complete'),
  ];
  const { status, events } = seeJobs(aCronJob({}, { active }), jobs);
  expect(status).toEqual({ active: [{ name: 'c', uid: 'c' }], lastSuccessfulTime: '2026-05-05T09:30:00Z' });
  expect(events.map(({ reason, message }) => `${reason}: ${message}`)).toEqual([
    'UnexpectedJob: Saw a job that the controller did not create or forgot: new',
    'SawCompletedJob: Saw completed job: a, condition: Complete',
    'SawCompletedJob: Saw completed job: b, condition: Failed',
    'MissingJob: Active job went missing: gone',
  ]);
});

test('deletes the oldest jobs of each kind beyond the history limits', () => {
  const jobs = [
    aJob('c', 'Complete', '2026-05-05T09:02:00Z'),
    aJob('b', 'Complete', '2026-05-05T09:01:00Z'),
    aJob('a', 'Complete', '2026-05-05T09:01:00Z'),
    aJob('x', 'Failed'),
    aJob('runs'),
  ];
  const beyond = (spec: JsonObject) => beyondHistory(aCronJob(spec), jobs).map(nameOf);
  expect(beyond({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 })).toEqual(['a', 'b', 'x']);
  expect(beyond({ successfulJobsHistoryLimit: 5 })).toEqual([]);
});
