import { expect, test } from 'vitest';
import { expose } from '#lib/metrics/text.ts';
import { resourceMetrics, type CpuAndMemoryStats } from './resource-metrics.ts';

const STATS: CpuAndMemoryStats = {
  node: {
    cpu: { time: 1_700_000_000_000, usageCoreNanoSeconds: 2_500_000_000 },
    memory: { time: 1_700_000_000_001, workingSetBytes: 1024 },
  },
  pods: [
    {
      name: 'p',
      namespace: 'n',
      cpu: { time: 3, usageCoreNanoSeconds: 1_000_000_000 },
      containers: [
        { name: 'app', startTime: 5000, memory: { time: 4, workingSetBytes: 7 } },
        { name: 'new', startTime: 0, swap: { time: 5, swapUsageBytes: 1, swapAvailableBytes: 2 }, cpu: { time: 6 } },
      ],
    },
  ],
};

const linesOf = async (stats: () => Promise<CpuAndMemoryStats>): Promise<string[]> =>
  (await expose([resourceMetrics(stats)])).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('usage is told with the time of its measurement', async () => {
  expect(await linesOf(async () => STATS)).toEqual([
    'container_memory_working_set_bytes{container="app",pod="p",namespace="n"} 7 4',
    'container_start_time_seconds{container="app",pod="p",namespace="n"} 5',
    'container_swap_limit_bytes{container="new",pod="p",namespace="n"} 3 5',
    'container_swap_usage_bytes{container="new",pod="p",namespace="n"} 1 5',
    'node_cpu_usage_seconds_total 2.5 1700000000000',
    'node_memory_working_set_bytes 1024 1700000000001',
    'pod_cpu_usage_seconds_total{pod="p",namespace="n"} 1 3',
    'resource_scrape_error 0',
    'scrape_error 0',
  ]);
});

test('usage that cannot be told is an error of the scrape', async () => {
  expect(await linesOf(() => Promise.reject(new Error('down')))).toEqual(['resource_scrape_error 1', 'scrape_error 1']);
});
