import { expect, test } from 'vitest';
import { Latencies } from './latencies.ts';

test('annotates slow requests: sums of sequential layers, the longest of concurrent ones', () => {
  const latencies = new Latencies();
  for (const milliseconds of [200, 150.5]) {
    latencies.took('mutating-webhook', milliseconds);
    latencies.took('validating-webhook', milliseconds);
  }
  latencies.took('impersonation', 0);
  expect(Object.fromEntries(latencies.annotations(600))).toEqual({
    'apiserver.latency.k8s.io/mutating-webhook': '350.5ms',
    'apiserver.latency.k8s.io/validating-webhook': '200ms',
    'apiserver.latency.k8s.io/total': '600ms',
  });
  expect(latencies.annotations(500).size).toBe(0);
});
