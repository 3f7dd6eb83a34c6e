import { expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { settled } from '#test/support/settled.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { WorkQueue } from './work-queue.ts';

test('measures waiting keys, running keys with their durations, and retries', async () => {
  const clock = new ManualClock();
  const metrics = new QueueMetrics(clock);
  const turns: PromiseWithResolvers<undefined>[] = [];
  const queue = new WorkQueue({
    reconciler: {
      name: 'one',
      keys: () => [],
      reconcile: () => {
        turns.push(Promise.withResolvers());
        return (turns.at(-1) as PromiseWithResolvers<undefined>).promise;
      },
    },
    clock,
    workers: 1,
    random: () => 0,
    onError: () => undefined,
    metrics,
  });
  const told = async (...names: string[]): Promise<string[]> => {
    const lines = (await expose([metrics])).split('\n');
    return names.map((name) => lines.find((line) => line.startsWith(`workqueue_${name}`))?.split(' ')[1] ?? 'nothing');
  };
  for (const key of ['a', 'b', 'a']) queue.add(key);
  expect(await told('depth', 'adds_total', 'retries_total', 'longest_running')).toEqual(['2', '2', '0', '0']);
  clock.advance(2000);
  queue.start();
  clock.advance(3000);
  expect(await told('depth', 'queue_duration_seconds_sum', 'unfinished_work', 'longest_running')).toEqual([
    '1',
    '2',
    '3',
    '3',
  ]);
  turns[0]?.reject(new Error('not yet'));
  await settled();
  expect(await told('depth', 'retries_total', 'work_duration_seconds_sum', 'queue_duration_seconds_sum')).toEqual([
    '0',
    '1',
    '3',
    '7',
  ]);
  turns[1]?.resolve(undefined);
  await settled();
  expect(await told('work_duration_seconds_count', 'unfinished_work', 'longest_running')).toEqual(['2', '0', '0']);
  await queue.close();
});
