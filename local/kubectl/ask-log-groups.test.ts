import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { type PlannedAnswer, startPlannedAnswers } from '#test/support/ministack/planned-answers.ts';
import { askLogGroups } from './ask-log-groups.ts';

const line = (id: string, more: object = {}) => JSON.stringify({ level: 'info', event: 'invocation', id, ...more });
const row = (message: string) => [
  { field: '@message', value: message },
  { field: '@ptr', value: 'x' },
];
const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function asking(...answers: readonly object[]) {
  const planned = (body: object): PlannedAnswer => ({ status: 200, body });
  const service = await startPlannedAnswers((_request, nth) => planned(answers[nth - 1] ?? {}));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new CloudWatchLogsClient({ endpoint: service.endpoint, region: 'us-east-1', credentials });
  ended.push(async () => (client.destroy(), service.stop()));
  const ask = () =>
    askLogGroups(client, { groups: ['/aws/lambda/a'], since: 3_600_000, function: 'sites', failed: true }, systemClock);
  return { ask, requests: service.requests };
}

test('returns records from lines of the log groups, oldest first', async () => {
  const results = [row(line('new')), row('no JSON'), row('{"event":"else"}'), row(line('old'))];
  const { ask, requests } = await asking({ queryId: 'q' }, { status: 'Running' }, { status: 'Complete', results });
  expect((await ask()).map(({ id }) => id)).toEqual(['old', 'new']);
  const [asked, first] = requests as [Record<string, unknown>, Record<string, unknown>];
  expect(asked).toMatchObject({ logGroupNames: ['/aws/lambda/a'] });
  expect(Number(asked['endTime']) - Number(asked['startTime'])).toBeGreaterThanOrEqual(3600);
  expect(asked['queryString']).toMatch(/fields @message\n.*event = "invocation"\n.*function = "sites"\n.*outcome in/);
  expect(first).toEqual({ queryId: 'q' });
});

test('reports a failed query', async () => {
  const { ask } = await asking({ queryId: 'q' }, { status: 'Failed' });
  await expect(ask()).rejects.toThrow('the query ended as Failed');
});
