import { join } from 'node:path';
import { expect, test } from 'vitest';
import { templateOf } from './testing.ts';

const functions = join(import.meta.dirname, '../test/support/fixtures/functions');
const template = templateOf({ functions });
const groups = Object.keys(template.findResources('AWS::Logs::LogGroup'));

/** An output as one line, with each reference in braces. */
function lineOf(prefix: string): string {
  const [value] = Object.entries(template.findOutputs('*')).flatMap(([id, { Value }]) =>
    id.startsWith(prefix) ? [Value] : [],
  );
  const parts: readonly unknown[] = typeof value === 'string' ? [value] : value['Fn::Join'][1];
  const shown = (part: unknown): string => {
    if (typeof part === 'string') return part;
    return `{${Object.values(part as Record<string, string | readonly string[]>)
      .flat()
      .join('.')}}`;
  };
  return parts.map(shown).join('');
}

test('the command queries the log group of every function', () => {
  const [command, logged = ''] = lineOf('Invocations').split(' --log-group ');
  expect(command).toBe('kubectl davit invocations');
  const doorbell = groups.filter((id) => id.startsWith('Doorbell'));
  expect(doorbell).toHaveLength(1);
  const expected = groups.filter((id) => !doorbell.includes(id)).map((id) => `{${id}}`);
  expect(logged.split(' ').toSorted()).toEqual(expected.toSorted());
});

test.each([
  [
    'Redrive',
    /^npm exec --no -- davit redrive --queue-url \{QueuesDead[0-9A-F]{8}\} --to \{QueuesRequests[0-9A-F]{8}\}$/,
  ],
  ['Replay', /^npm exec --no -- davit replay --queue-url \{QueuesRequests[0-9A-F]{8}\}$/],
  ['ReconcilersitesReplay', /^npm exec --no -- davit replay sites --queue-url \{ReconcilersitesRequests[0-9A-F]{8}\}$/],
  [
    'ReplayEvents',
    /^npm exec --no -- davit events replay --bus \{Bus[0-9A-F]{8}\} --table \{Store\w+\} --kms-key \{Store\w+\.Arn\} --cluster-id davit$/,
  ],
])('the output %s is a command', (name, line) => {
  expect(lineOf(name)).toMatch(line);
});
