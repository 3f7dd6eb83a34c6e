import { expect, test } from 'vitest';
import type { VolumeStats } from './summary.ts';
import { VolumeStatsMetrics } from './volume-stats-metrics.ts';

const data: VolumeStats = { time: '', name: 'v', pvcRef: { namespace: 'ns', name: 'data' }, usedBytes: 7n, inodes: 3n };

test('reports each claim once, for any number of pods, and no volume without a claim', async () => {
  const metrics = new VolumeStatsMetrics({
    uids: () => ['a', 'b'],
    storage: { volumes: async () => ({ ephemeral: [], persistent: [data, { time: '', name: 'inline' }] }) },
  });
  const families = await metrics.collect();
  const labels = { namespace: 'ns', persistentvolumeclaim: 'data' };
  expect(families.map(({ name }) => name)).toEqual([
    'kubelet_volume_stats_available_bytes',
    'kubelet_volume_stats_capacity_bytes',
    'kubelet_volume_stats_inodes',
    'kubelet_volume_stats_inodes_free',
    'kubelet_volume_stats_inodes_used',
    'kubelet_volume_stats_used_bytes',
  ]);
  expect(families.at(-1)?.samples).toEqual([{ labels, value: 7 }]);
  expect(families[2]?.samples).toEqual([{ labels, value: 3 }]);
  expect(families[0]?.samples).toEqual([{ labels, value: 0 }]);
});
