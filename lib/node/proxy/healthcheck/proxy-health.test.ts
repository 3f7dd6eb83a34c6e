import { expect, test } from 'vitest';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { ProxyHealth } from './proxy-health.ts';

test('is unhealthy if a change of one family has been pending for a minute', () => {
  const clock = new ManualClock();
  const health = new ProxyHealth(clock, ['IPv4', 'IPv6']);
  expect(health.isHealthy).toBe(true);
  health.queued('IPv4');
  clock.advance(30_000);
  health.queued('IPv4');
  health.updated('IPv6');
  expect(health.isHealthy).toBe(true);
  clock.advance(30_000);
  expect(health.isHealthy).toBe(false);
  health.updated('IPv4');
  expect(health.isHealthy).toBe(true);
});

test('reports the time of the last rules, and the time of the request while healthy', () => {
  const clock = new ManualClock(0);
  const health = new ProxyHealth(clock, ['IPv4']);
  health.queued('IPv4');
  clock.advance(1000);
  expect(JSON.parse(health.answer(true))).toEqual({
    lastUpdated: '1970-01-01T00:00:01.000Z',
    currentTime: '1970-01-01T00:00:01.000Z',
    nodeEligible: true,
    healthy: true,
    status: { IPv4: { lastUpdated: '1970-01-01T00:00:00.000Z', healthy: true } },
  });
  expect(JSON.parse(health.answer(false))).toMatchObject({ lastUpdated: '1970-01-01T00:00:00.000Z', healthy: true });
  expect(health.answer()).not.toContain('nodeEligible');
});
