import { describe, expect, test } from 'vitest';
import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import { type Answer, type BatchChannel, sendInOrder } from './send-in-order.ts';

/** A clock that sleeps without delay and sums up the sleep times. */
function hastyClock() {
  let slept = 0;
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: async (milliseconds) => void (slept += milliseconds),
  };
  return { clock, slept: () => slept };
}

/** A channel for entries named by group and number. `answer` receives how often the entry was sent before. */
function channel(answer: (entry: string, times: number) => Answer, over: Partial<BatchChannel<string>> = {}) {
  const requests: string[][] = [];
  const sent = new Map<string, number>();
  const all: BatchChannel<string> = {
    maxEntries: 3,
    maxBytes: 100,
    bytes: () => 1,
    group: (entry) => entry.slice(0, 1),
    request: async (batch) => {
      requests.push([...batch]);
      return batch.map((entry) => {
        const times = sent.get(entry) ?? 0;
        sent.set(entry, times + 1);
        return answer(entry, times);
      });
    },
    ...over,
  };
  return { channel: all, requests };
}

const send = (entries: string[], of: BatchChannel<string>) => sendInOrder(entries, of, hastyClock().clock);

describe('sendInOrder over a channel', () => {
  test('limits the entries of a request, with at most one of each group', async () => {
    const { channel: of, requests } = channel(() => 'taken');
    expect(await send(['a1', 'b1', 'a2', 'c1', 'd1', 'e1', 'e2'], of)).toEqual([]);
    expect(requests).toEqual([['a1', 'b1'], ['a2', 'c1', 'd1'], ['e1'], ['e2']]);
  });

  test('retries an unaccepted entry before later ones', async () => {
    const { channel: of, requests } = channel((entry, times) =>
      entry === 'b1' && times < 2 ? { again: 'throttled' } : 'taken',
    );
    expect(await send(['a1', 'b1', 'c1', 'b2'], of)).toEqual([]);
    expect(requests).toEqual([['a1', 'b1', 'c1'], ['b1'], ['b1'], ['b2']]);
  });

  test('gives up on an entry that is never accepted, and sends no later one', async () => {
    const { channel: of, requests } = channel((entry) => (entry === 'b1' ? { again: 'throttled' } : 'taken'));
    await expect(send(['a1', 'b1', 'c1', 'd1'], of)).rejects.toMatchObject({
      code: 'Unavailable',
      message: '1 entries were not taken: throttled',
    });
    expect(requests.flat()).not.toContain('d1');
  });

  test('increases the delay with each attempt', async () => {
    const { clock, slept } = hastyClock();
    const { channel: of } = channel(() => ({ again: 'throttled' }));
    await expect(sendInOrder(['a1'], of, clock)).rejects.toBeInstanceOf(StoreError);
    expect(slept()).toBe(50 + 100 + 200 + 400);
  });

  test('retries an entry that is missing in the response', async () => {
    let first = true;
    const { channel: of, requests } = channel(() => 'taken', {
      request: async (batch): Promise<Answer[]> => {
        requests.push([...batch]);
        const answers = batch.map((): Answer => 'taken');
        return first ? ((first = false), answers.slice(1)) : answers;
      },
    });
    expect(await send(['a1', 'b1'], of)).toEqual([]);
    expect(requests).toEqual([['a1', 'b1'], ['b1']]);
  });

  test('sends each entry alone if the whole request is rejected', async () => {
    const { channel: of, requests } = channel(() => 'taken', {
      request: async (batch) => {
        requests.push([...batch]);
        return batch.includes('b1') ? { malformed: 'b1 is wrong' } : batch.map(() => 'taken' as const);
      },
    });
    expect(await send(['a1', 'b1', 'c1', 'd1'], of)).toEqual([{ index: 1, reason: 'b1 is wrong' }]);
    expect(requests).toEqual([['a1', 'b1', 'c1'], ['a1'], ['b1'], ['c1'], ['d1']]);
  });
});
