import { expect, test } from 'vitest';
import { expose } from '#lib/machinery/metrics/text.ts';
import { ImageServiceDefinition, RuntimeServiceDefinition } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { RuntimeOperations } from './runtime-operations.ts';

test('counts and times calls by type, and counts their failures', async () => {
  let now = 0;
  const operations = new RuntimeOperations({ monotonic: () => now });
  const [first, second] = [operations.begin('RunPodSandbox'), operations.begin('RunPodSandbox')];
  now = 20;
  first(false);
  now = 1_000_000;
  second(true);
  const lines = (await expose([operations])).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'kubelet_runtime_operations_total{operation_type="run_podsandbox"} 2',
      'kubelet_runtime_operations_errors_total{operation_type="run_podsandbox"} 1',
      'kubelet_runtime_operations_duration_seconds_bucket{operation_type="run_podsandbox",le="0.0125"} 0',
      'kubelet_runtime_operations_duration_seconds_bucket{operation_type="run_podsandbox",le="0.03125"} 1',
      'kubelet_runtime_operations_duration_seconds_sum{operation_type="run_podsandbox"} 1000.02',
      'kubelet_runtime_operations_duration_seconds_count{operation_type="run_podsandbox"} 2',
    ]),
  );
  expect(lines.filter((line) => line.includes('_bucket{'))).toHaveLength(15);
});

test('has an operation type for every method with a single response, and counts no other', () => {
  const operations = new RuntimeOperations({ monotonic: () => 0 });
  const methods = [RuntimeServiceDefinition, ImageServiceDefinition].flatMap(({ methods: all }) => Object.values(all));
  for (const { name } of methods) operations.begin(name)(false);
  operations.begin('constructor')(true);
  const [counted] = operations.collect();
  const types = counted?.samples.map(({ labels }) => labels['operation_type']);
  expect(new Set(types).size).toBe(methods.filter(({ responseStream }) => !responseStream).length);
});
