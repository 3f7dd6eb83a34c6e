import { assert, double, property } from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigReloads } from './config-reloads.ts';
import { formatNumber } from './format-number.ts';
import { Histogram } from './histogram.ts';
import { expose } from './text.ts';
import { Value } from './value.ts';

test('encodes counters and gauges by name, with a line for each series', async () => {
  const requests = new Value({ type: 'counter', name: 'requests_total', help: 'Requests.', labels: ['verb', 'code'] });
  requests.add(1, ['GET', '200']);
  requests.add(1, ['GET', '200']);
  requests.add(1, ['POST', '201']);
  const open = new Value({ type: 'gauge', name: 'open', help: 'Open\nones.' });
  open.add(3);
  open.add(-1);
  expect(await expose([requests, open])).toBe(
    [
      '# HELP open Open\\nones.',
      '# TYPE open gauge',
      'open 2',
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{verb="GET",code="200"} 2',
      'requests_total{verb="POST",code="201"} 1',
      '',
    ].join('\n'),
  );
});

test('encodes a histogram as cumulative buckets, a sum and a count', async () => {
  const seconds = new Histogram({ name: 's', help: 'S.', labels: ['verb'], buckets: [0.005, 1, 60] });
  for (const value of [0.001, 0.005, 0.5, 61]) seconds.observe(value, ['GET']);
  expect((await expose([seconds])).split('\n').slice(2, -1)).toEqual([
    's_bucket{verb="GET",le="0.005"} 2',
    's_bucket{verb="GET",le="1"} 3',
    's_bucket{verb="GET",le="60"} 3',
    's_bucket{verb="GET",le="+Inf"} 4',
    's_sum{verb="GET"} 61.506',
    's_count{verb="GET"} 4',
  ]);
});

test('escapes label values', async () => {
  const one = new Value({ type: 'gauge', name: 'x', help: '', labels: ['a'] });
  one.add(1, ['"\\\n']);
  expect(await expose([one])).toContain('x{a="\\"\\\\\\n"} 1\n');
});

test('limits the number of series of a metric', async () => {
  const many = new Value({ type: 'counter', name: 'x', help: '', labels: ['a'] });
  for (let index = 0; index < 20_100; index++) many.add(1, [String(index)]);
  expect(many.collect()[0]?.samples).toHaveLength(20_000);
});

test.each([
  [0, '0'],
  [1, '1'],
  [0.25, '0.25'],
  [1000, '1000'],
  [1e6, '1000000'],
  [1e21, '1e+21'],
  [0.00001, '1e-05'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
])('formats %d as %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

test('formats every number so that it can be parsed back', () => {
  assert(
    property(double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Number(formatNumber(value))).toBe(value === 0 ? 0 : value);
    }),
  );
});

test('counts reloads of a file by result, with the time and the hashes of file and server name', async () => {
  const clock = { now: () => 5000, monotonic: () => 0, sleep: async () => {} };
  const reloads = new ConfigReloads({ of: 'encryption', server: 'one', clock });
  expect(await expose([reloads])).toBe('');
  reloads.holds('a');
  reloads.failed();
  reloads.succeeded('b');
  const lines = (await expose([reloads])).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const server = 'apiserver_id_hash="sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"';
  const of = 'apiserver_encryption_config_controller';
  expect(lines).toEqual([
    `${of}_automatic_reload_last_timestamp_seconds{status="failure",${server}} 5`,
    `${of}_automatic_reload_last_timestamp_seconds{status="success",${server}} 5`,
    `${of}_automatic_reloads_total{status="failure",${server}} 1`,
    `${of}_automatic_reloads_total{status="success",${server}} 1`,
    `${of}_last_config_info{${server},hash="sha256:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"} 1`,
  ]);
});
