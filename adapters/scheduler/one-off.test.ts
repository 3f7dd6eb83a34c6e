import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { expect, test } from 'vitest';
import { describeOn } from '#test/describe-on.ts';
import { startPlannedAnswers } from '#test/ministack/planned-answers.ts';
import { aQueue, drain, sqsClient } from '#test/ministack/queues.ts';
import { account, credentials, region, startMinistack } from '#test/ministack/start.ts';
import { oneOffSchedules } from './one-off.ts';

const schedulerClient = (at: string) => new SchedulerClient({ endpoint: at, region, credentials, maxAttempts: 1 });
const roleArn = `arn:aws:iam::${account}:role/scheduler`;

describeOn(await startMinistack(), 'one-off schedules', (endpoint) => {
  test('send a text once, when it is due, and are gone then', async () => {
    const client = schedulerClient(endpoint);
    const sqs = sqsClient(endpoint);
    const queue = await aQueue(sqs, { fifo: false });
    const schedules = oneOffSchedules(client, { queueArn: queue.arn, roleArn });
    await schedules.once('{"due":"now"}', Date.now());
    await schedules.once('{"due":"tomorrow"}', Date.now() + 86_400_000);
    await schedules.once('{"due":"tomorrow"}', Date.now() + 86_400_000);
    expect((await drain(sqs, queue.url, 2, 15)).map(({ Body: body }) => body)).toEqual(['{"due":"now"}']);
    const { Schedules: left } = await client.send(new ListSchedulesCommand({}));
    expect(left?.map(({ State: state }) => state)).toEqual(['ENABLED']);
  });
});

test('a scheduler that refuses is Unavailable', async () => {
  const service = await startPlannedAnswers(() => ({ status: 403, body: { __type: 'AccessDeniedException' } }));
  const schedules = oneOffSchedules(schedulerClient(service.endpoint), { queueArn: 'arn:aws:sqs:q', roleArn });
  await expect(schedules.once('{}', 0)).rejects.toMatchObject({ name: 'StoreError', code: 'Unavailable' });
  await service.stop();
});
