import { expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { AttemptMetrics } from './attempt-metrics.ts';
import type { Result } from './reconciler.ts';

test('counts attempts by outcome, and their durations', async () => {
  const clock = new ManualClock();
  const metrics = new AttemptMetrics(clock);
  metrics.add('sites', 3);
  const attempt = (result: Result, error?: Error): Promise<unknown> =>
    metrics
      .observe({ reconciler: 'sites', key: 'a/b', attempt: 1 }, async () => {
        clock.advance(20);
        if (error !== undefined) throw error;
        return result;
      })
      .catch(String);
  await attempt(undefined);
  await attempt({ requeueAfter: 1 });
  await attempt({ terminal: 'never' });
  expect(await attempt(undefined, new Error('no'))).toBe('Error: no');
  const told = (await expose([metrics])).split('\n').filter((line) => !line.startsWith('#'));
  const at = '{controller="sites"}';
  expect(told).toEqual(
    expect.arrayContaining([
      'controller_runtime_reconcile_total{controller="sites",result="success"} 1',
      'controller_runtime_reconcile_total{controller="sites",result="requeue_after"} 1',
      'controller_runtime_reconcile_total{controller="sites",result="error"} 2',
      `controller_runtime_reconcile_errors_total${at} 2`,
      `controller_runtime_terminal_reconcile_errors_total${at} 1`,
      `controller_runtime_active_workers${at} 0`,
      `controller_runtime_max_concurrent_reconciles${at} 3`,
      `controller_runtime_reconcile_time_seconds_count${at} 4`,
      'controller_runtime_reconcile_time_seconds_bucket{controller="sites",le="0.01"} 0',
      'controller_runtime_reconcile_time_seconds_bucket{controller="sites",le="0.025"} 4',
    ]),
  );
});
