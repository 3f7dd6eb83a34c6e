import { expect, test } from 'vitest';
import { AvailabilityMetrics } from './availability-metrics.ts';

const PASSED = { status: 'True', reason: 'Passed' } as const;
const FAILED = { status: 'False', reason: 'FailedDiscoveryCheck' } as const;

const shown = (metrics: AvailabilityMetrics) =>
  Object.fromEntries(
    metrics.collect().map(({ name, samples }) => [name, samples.map((one) => [one.labels, one.value])]),
  );

test('reports which APIServices are unavailable', () => {
  const metrics = new AvailabilityMetrics();
  metrics.checked('available', undefined, PASSED);
  metrics.checked('unavailable', undefined, FAILED);
  metrics.checked('gone', undefined, FAILED);
  metrics.forget('gone');
  expect(shown(metrics)).toMatchObject({
    aggregator_unavailable_apiservice: [
      [{ name: 'available' }, 0],
      [{ name: 'unavailable' }, 1],
    ],
  });
});

test('counts transitions to unavailable, not checks', () => {
  const metrics = new AvailabilityMetrics();
  metrics.checked('a', undefined, FAILED);
  metrics.checked('a', 'True', FAILED);
  metrics.checked('a', 'False', FAILED);
  metrics.checked('a', 'False', PASSED);
  metrics.checked('a', 'True', { status: 'Unknown', reason: 'ServiceAccessError' });
  expect(shown(metrics)).toMatchObject({
    aggregator_unavailable_apiservice_total: [
      [{ name: 'a', reason: 'FailedDiscoveryCheck' }, 1],
      [{ name: 'a', reason: 'ServiceAccessError' }, 1],
    ],
  });
});
