import { expect, test } from 'vitest';
import { describeOn } from '#test/support/describe-on.ts';
import { aQueue, sqsClient } from '#test/support/ministack/queues.ts';
import { startMinistack } from '#test/support/ministack/start.ts';
import { deadLetterQueue } from './dead-letter-queue.ts';

describeOn(await startMinistack(), 'a dead letter queue', (endpoint) => {
  async function aDeadLetterQueue() {
    const client = sqsClient(endpoint);
    const { url } = await aQueue(client, { fifo: false });
    return deadLetterQueue(client, url);
  }

  test.each([
    ['unchanged', 'no such database', 'no such database'],
    ['truncated and without invalid characters', `a\u0000b${'x'.repeat(5000)}`, `a\ufffdb${'x'.repeat(997)}`],
    ['only if one was given', '', undefined],
  ])('returns the reason %s', async (_, reason, told) => {
    const queue = await aDeadLetterQueue();
    await queue.put('{"name":"a"}', reason);
    expect(await queue.receive()).toMatchObject([{ body: '{"name":"a"}', reason: told }]);
  });

  test('delivers each message to one receiver at a time, until it is removed', async () => {
    const queue = await aDeadLetterQueue();
    await queue.put('one', 'why');
    const [dead] = await queue.receive();
    expect(await queue.receive()).toEqual([]);
    await dead?.remove();
    expect(await queue.receive()).toEqual([]);
  });
});
