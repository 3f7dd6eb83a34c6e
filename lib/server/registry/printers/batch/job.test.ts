import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import { CRON_JOBS, JOBS } from '#lib/api/types/resources.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { cronJob } from './cron-job.ts';
import { job } from './job.ts';

const NOW = new Date('2024-01-01T01:00:00Z');
const START = '2024-01-01T00:00:00Z';

const cellsOf = (spec: JsonObject, status: JsonObject, metadata: JsonObject = {}): Json[] =>
  job.cells(decodedAs(JOBS, { metadata: { name: 'j', ...metadata }, spec, status }), NOW);
const conditions = (...types: string[]): JsonObject => ({
  conditions: types.map((type) => ({ type, status: 'True' })),
});

test.each<[JsonObject, JsonObject, string]>([
  [{}, {}, 'Running'],
  [conditions('SuccessCriteriaMet'), {}, 'SuccessCriteriaMet'],
  [conditions('SuccessCriteriaMet', 'Complete'), {}, 'Complete'],
  [conditions('FailureTarget'), {}, 'FailureTarget'],
  [conditions('FailureTarget', 'Failed'), {}, 'Failed'],
  [conditions('Suspended'), {}, 'Suspended'],
  [conditions('Suspended'), { deletionTimestamp: START }, 'Terminating'],
  [conditions('Complete'), { deletionTimestamp: START }, 'Complete'],
  [{ conditions: [{ type: 'Complete', status: 'False' }] }, {}, 'Running'],
])('shows the status of %j, %j as %s', (status, metadata, text) => expect(cellsOf({}, status, metadata)[1]).toBe(text));

test.each<[JsonObject, JsonObject, string]>([
  [{ completions: 5 }, { succeeded: 2 }, '2/5'],
  [{}, { succeeded: 1 }, '1/1'],
  [{ parallelism: 1 }, {}, '0/1'],
  [{ parallelism: 3 }, {}, '0/1 of 3'],
])('shows the completions of %j, %j as %s', (spec, status, text) => expect(cellsOf(spec, status)[2]).toBe(text));

test.each<[JsonObject, string]>([
  [{}, ''],
  [{ startTime: START }, '60m'],
  [{ startTime: START, completionTime: '2024-01-01T00:01:35Z' }, '95s'],
])('shows the duration of %j as %j', (status, text) => expect(cellsOf({}, status)[3]).toBe(text));

test.each<[JsonObject, JsonObject, Json[]]>([
  [{}, {}, ['', '<none>', '<unset>', 0, '<none>']],
  [
    { schedule: '@daily', timeZone: 'Etc/UTC', suspend: true },
    { active: [{}, {}], lastScheduleTime: START },
    ['@daily', 'Etc/UTC', 'True', 2, '60m'],
  ],
])('shows a cron job %j, %j as %j', (spec, status, cells) => {
  expect(cronJob.cells(decodedAs(CRON_JOBS, { spec, status }), NOW).slice(1, 6)).toEqual(cells);
});
