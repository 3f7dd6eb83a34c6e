import { randomUUID } from 'node:crypto';
import { CreateScheduleGroupCommand, ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { eventually } from '#test/support/eventually.ts';
import { startPlannedAnswers } from '#test/support/ministack/planned-answers.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { account, credentials, region, startMinistack } from '#test/support/ministack/start.ts';
import { oneOffSchedules } from './one-off.ts';

const schedulerClient = (at: string) => new SchedulerClient({ endpoint: at, region, credentials, maxAttempts: 1 });
const roleArn = `arn:aws:iam::${account}:role/scheduler`;

describeOn(await startMinistack(), 'one-off schedules', (endpoint) => {
  test('send a text once when it is due and are deleted', async () => {
    const client = schedulerClient(endpoint);
    const sqs = sqsClient(endpoint);
    const queue = await aQueue(sqs, { fifo: false });
    const group = `g-${randomUUID()}`;
    await client.send(new CreateScheduleGroupCommand({ Name: group }));
    const schedules = oneOffSchedules(client, { queueArn: queue.arn, roleArn, group });
    await schedules.once('{"due":"now"}', Date.now());
    await schedules.once('{"due":"tomorrow"}', Date.now() + 86_400_000);
    await schedules.once('{"due":"tomorrow"}', Date.now() + 86_400_000);
    expect((await drain(sqs, queue.url, 1, 15)).map(({ Body: body }) => body)).toEqual(['{"due":"now"}']);
    const left = async () => (await client.send(new ListSchedulesCommand({ GroupName: group }))).Schedules;
    await eventually(async () => expect((await left())?.map(({ State: state }) => state)).toEqual(['ENABLED']));
    expect(await drain(sqs, queue.url, 1, 0)).toEqual([]);
  });
});

test('throws Unavailable if the scheduler refuses', async () => {
  const service = await startPlannedAnswers(() => ({ status: 403, body: { __type: 'AccessDeniedException' } }));
  const schedules = oneOffSchedules(schedulerClient(service.endpoint), { queueArn: 'arn:aws:sqs:q', roleArn });
  await expect(schedules.once('{}', 0)).rejects.toMatchObject({ name: 'StoreError', code: 'Unavailable' });
  await service.stop();
});
