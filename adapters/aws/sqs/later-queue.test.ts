import { expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { decodeMessage, messageOf } from '#lib/client/controller/delivery.ts';
import { describeOn } from '#test/support/describe-on.ts';
import { aQueue, drain, sqsClient } from '#test/support/ministack/queues.ts';
import { startMinistack } from '#test/support/ministack/start.ts';
import { laterQueue } from './later-queue.ts';

const message = {
  ...messageOf({ reconciler: 'r', cluster: 'main', namespace: 'ns', name: 'a', sequence: 'main//pods', version: 2 }),
  later: 'nonce',
};

describeOn(await startMinistack(), 'a queue for delayed messages', (endpoint) => {
  async function aLaterQueue() {
    const client = sqsClient(endpoint);
    const { url } = await aQueue(client, { fifo: false });
    const scheduled: [string, number][] = [];
    const schedules = { once: async (body: string, at: number) => void scheduled.push([body, at]) };
    const clock = { ...systemClock, now: () => 1_000_000 };
    return { later: laterQueue(client, url, { schedules, clock }), client, url, scheduled };
  }

  test('delays a message by whole seconds', async () => {
    const { later, client, url } = await aLaterQueue();
    const began = performance.now();
    await later(message, 200);
    expect(await drain(client, url, 1, 0)).toEqual([]);
    const [there] = await drain(client, url, 1);
    expect(decodeMessage(there?.Body ?? '')).toEqual(message);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  test.each([
    ['900 seconds', 900_000, []],
    ['a millisecond more', 900_001, [1_900_001]],
    ['a week', 604_800_000, [605_800_000]],
  ])('uses a schedule only for delays too long for a queue: %s', async (_, milliseconds, at) => {
    const { later, scheduled } = await aLaterQueue();
    await later(message, milliseconds);
    expect(scheduled.map(([, time]) => time)).toEqual(at);
    for (const [body] of scheduled) expect(decodeMessage(body)).toEqual(message);
  });

  test('throws Unavailable if the queue does not exist', async () => {
    const { client, url } = await aLaterQueue();
    const schedules = { once: async () => undefined };
    const later = laterQueue(client, `${url}-not`, { schedules, clock: systemClock });
    await expect(later(message, 0)).rejects.toMatchObject({ name: 'StoreError', code: 'Unavailable' });
  });
});
