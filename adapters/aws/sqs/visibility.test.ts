import { type Message, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { aQueue, sqsClient } from '#test/support/ministack/queues.ts';
import { startMinistack } from '#test/support/ministack/start.ts';
import { hider } from './visibility.ts';

describeOn(await startMinistack(), 'hidden messages', (endpoint) => {
  const client = sqsClient(endpoint);
  const hide = hider(client);

  async function someMessages(count: number) {
    const { url } = await aQueue(client, { fifo: false });
    for (let i = 0; i < count; i++)
      await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: String(i) }));
    const receive = async (wait = 0): Promise<readonly Message[]> => {
      const command = { QueueUrl: url, MaxNumberOfMessages: 10, VisibilityTimeout: 600, WaitTimeSeconds: wait };
      return (await client.send(new ReceiveMessageCommand(command))).Messages ?? [];
    };
    return { url, receive };
  }

  test('return after the given delay, even more than ten at once', async () => {
    const { url, receive } = await someMessages(12);
    const taken = [...(await receive()), ...(await receive())];
    expect(taken).toHaveLength(12);
    expect(await receive()).toEqual([]);
    await hide(
      url,
      taken.map(({ ReceiptHandle = '' }) => ReceiptHandle),
      0,
    );
    expect([...(await receive()), ...(await receive())]).toHaveLength(12);
  });

  test('stay hidden until the delay has passed', async () => {
    const { url, receive } = await someMessages(1);
    const [message] = await receive();
    await hide(url, [message?.ReceiptHandle ?? ''], 900);
    expect(await receive()).toEqual([]);
    expect(await receive(5)).toHaveLength(1);
  });

  test('stay as they are if the queue does not exist', async () => {
    const { url } = await someMessages(0);
    await expect(hide(`${url}-not`, ['r'], 0)).rejects.toMatchObject({ name: 'StoreError', code: 'Unavailable' });
  });
});
