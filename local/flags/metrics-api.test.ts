import { Command } from 'commander';
import { expect, test } from 'vitest';
import { type MetricsApiFlags, metricsApiFlags, metricsApiOf } from './metrics-api.ts';

function parse(...argv: string[]) {
  const command = metricsApiFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr() {} });
  return metricsApiOf(command.parse(argv, { from: 'user' }).opts<MetricsApiFlags>());
}

test.each([
  [[], {}],
  [['--metrics-api'], { metricsApi: { resolution: 60_000 } }],
  [['--metrics-api=false', '--metric-resolution=15s'], {}],
  [['--metrics-api', '--metric-resolution=15s'], { metricsApi: { resolution: 15_000 } }],
])('reads the settings from %j', (argv, expected) => expect(parse(...argv)).toEqual(expected));

test.each(['9s', '0', 'x', '60'])('rejects --metric-resolution %s', (value) =>
  expect(() => parse('--metrics-api', `--metric-resolution=${value}`)).toThrow(/metric-resolution/),
);
