import { describe, expect, test } from 'vitest';
import { CRON_JOBS } from '#lib/api/types/resources.ts';
import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import { created, refusals } from '../proof/strategy-proof.conformance.ts';
import { cronError } from './cron.ts';

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1' }] } };

const withSpec = (spec: JsonObject = {}, name = 'often'): JsonObject => {
  const jobTemplate = { spec: { template: clone(template) } };
  return { metadata: { name }, spec: { schedule: '* * * * *', jobTemplate, ...spec } };
};

describe('the strategy of cron jobs', () => {
  const errors = (spec: JsonObject, name?: string): string[] => refusals(CRON_JOBS, withSpec(spec, name));
  const job = (spec: JsonObject): JsonObject => ({ jobTemplate: { spec: { template: clone(template), ...spec } } });
  test.each<[string, JsonObject, string[]]>([
    ['accepts a valid one', {}, []],
    ['requires a schedule', { schedule: '' }, ['spec.schedule: Required value']],
    [
      'rejects a time zone in the schedule',
      { schedule: 'TZ=UTC * * * * *' },
      [
        'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
    ],
    ['accepts a time zone', { timeZone: 'Europe/Berlin' }, []],
    [
      'rejects an unknown time zone',
      { timeZone: 'Europe/Berlon' },
      ['spec.timeZone: Invalid value: "Europe/Berlon": unknown time zone Europe/Berlon'],
    ],
    [
      'rejects a time zone in the wrong letter case',
      { timeZone: 'europe/berlin' },
      ['spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin'],
    ],
    [
      'rejects the time zone Local',
      { timeZone: 'Local' },
      [
        'spec.timeZone: Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ],
    ],
    [
      'rejects an unknown concurrency policy',
      { concurrencyPolicy: 'Maybe' },
      ['spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
    ],
    [
      'rejects a selector in the job template',
      job({ selector: { matchLabels: { a: 'b' } } }),
      ['spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated'],
    ],
  ])('validation of a cron job %s', (_, spec, expected) => {
    expect(errors(spec)).toEqual(expected);
  });

  test('limits names to 52 characters', () => {
    expect(errors({}, 'a'.repeat(52))).toEqual([]);
    expect(errors({}, 'a'.repeat(53))).toEqual([
      `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
    ]);
  });

  test('sets defaults, but no backoffLimit in the job template', () => {
    const { spec } = created(CRON_JOBS, withSpec());
    expect(spec).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    expect(spec.jobTemplate.spec).not.toHaveProperty('backoffLimit');
  });
});

test.each<[string, string | undefined]>([
  ['* * * * *', undefined],
  ['*/15 0-5 1,15 jan-MAR ?', undefined],
  ['@daily', undefined],
  ['@every 1h30m', undefined],
  ['@every 3000000h', 'failed to parse duration @every 3000000h: time: invalid duration "3000000h"'],
  ['@every 1', 'failed to parse duration @every 1: time: missing unit in duration "1"'],
  ['@sometimes', 'unrecognized descriptor: @sometimes'],
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['TZ=0', 'invalid schedule format: runtime error: slice bounds out of range [:-1]'],
  ['TZ=Mars/X * * * * *', 'provided bad location Mars/X: unknown time zone Mars/X'],
])('the schedule %j has the error %j', (schedule, expected) => {
  expect(cronError(schedule)).toBe(expected);
});

test.each(['1,'.repeat(2050), `TZ=${'a'.repeat(5000)} * * * *`, `@every ${'1h'.repeat(2050)}`])(
  'rejects a schedule longer than 4096 characters',
  (long) => expect(cronError(`${long}1 * * * *`)).toBe('schedule is longer than 4096 characters'),
);

test('accepts a schedule that lists every number of every field', () => {
  const field = (from: number, to: number): string =>
    Array.from({ length: to - from + 1 }, (_, i) => String(from + i)).join(',');
  const fields = [field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 6)];
  expect(cronError(`TZ=America/Argentina/Buenos_Aires ${fields.join(' ')}`)).toBeUndefined();
});
