import { afterAll, describe, expect, test } from 'vitest';
import { aQueue, sqsClient } from '#test/ministack/queues.ts';
import { startMinistack } from '#test/ministack/start.ts';
import { deadLetterQueue } from './dead-letter-queue.ts';

const ministack = await startMinistack();
if ('missing' in ministack) console.warn(`SQS tests skip: ${ministack.missing}`);
const endpoint = 'endpoint' in ministack ? ministack.endpoint : '';

describe.skipIf('missing' in ministack)('a queue of dead letters', () => {
  afterAll(async () => {
    if ('stop' in ministack) await ministack.stop();
  });

  async function aDeadLetterQueue() {
    const client = sqsClient(endpoint);
    const { url } = await aQueue(client, { fifo: false });
    return deadLetterQueue(client, url);
  }

  test.each([
    ['as it was', 'no such database', 'no such database'],
    ['as far as it may be sent', `a\u0000b${'x'.repeat(5000)}`, `a\ufffdb${'x'.repeat(997)}`],
    ['where there is one', '', undefined],
  ])('tells the reason %s', async (_, reason, told) => {
    const queue = await aDeadLetterQueue();
    await queue.put('{"name":"a"}', reason);
    expect(await queue.receive()).toMatchObject([{ body: '{"name":"a"}', reason: told }]);
  });

  test('gives each to one at a time, until it is removed', async () => {
    const queue = await aDeadLetterQueue();
    await queue.put('one', 'why');
    const [dead] = await queue.receive();
    expect(await queue.receive()).toEqual([]);
    await dead?.remove();
    expect(await queue.receive()).toEqual([]);
  });
});
