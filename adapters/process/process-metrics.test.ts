import { expect, test } from 'vitest';
import { skipUnless } from '#test/support/skip.ts';
import { processMetrics } from './process-metrics.ts';

test("reports Prometheus's metrics of a process", async () => {
  const families = await processMetrics.collect();
  const value = (name: string): number => families.find((family) => family.name === name)?.samples[0]?.value ?? -1;
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(value('process_start_time_seconds')).toBeGreaterThan(1_700_000_000);
});

test(
  'reports the metrics that exist only on Linux',
  skipUnless(process.platform === 'linux', 'only Linux tells it'),
  async () => {
    const families = await processMetrics.collect();
    const told = families.filter(({ samples }) => samples.length > 0).map(({ name }) => name);
    expect(told).toEqual(
      expect.arrayContaining(['process_virtual_memory_bytes', 'process_open_fds', 'process_max_fds']),
    );
  },
);
