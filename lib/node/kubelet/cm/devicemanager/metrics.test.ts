import { expect, test } from 'vitest';
import { DevicePluginMetrics } from './metrics.ts';

test('counts registrations and allocations by resource', () => {
  const metrics = new DevicePluginMetrics();
  metrics.registered('example.com/gpu');
  metrics.registered('example.com/gpu');
  metrics.allocated('example.com/gpu', 30);
  const [registrations, allocations] = metrics.collect();
  expect(registrations?.name).toBe('kubelet_device_plugin_registration_total');
  expect(registrations?.samples).toEqual([{ labels: { resource_name: 'example.com/gpu' }, value: 2 }]);
  const sum = allocations?.samples.find(({ suffix }) => suffix === '_sum');
  expect(sum).toMatchObject({ labels: { resource_name: 'example.com/gpu' }, value: 0.03 });
});
