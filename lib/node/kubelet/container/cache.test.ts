import { expect, test } from 'vitest';
import type { PodStatusReader } from '../podworkers/pod-syncer.ts';
import { aPod, runtimeStatus } from '../testing/pods.ts';
import { PodStatusCache } from './cache.ts';

const status = runtimeStatus(aPod('a'), [], { ips: ['10.0.0.1'] });
const settled = async (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, Promise.resolve().then(() => 'waits')]);

test('provides statuses to pod workers', () => {
  const cache: PodStatusReader = new PodStatusCache();
  expect(cache.get('nobody')).toMatchObject({ uid: 'nobody', containerStatuses: [] });
});

test('ends a wait for a newer status with a listing at the same time', async () => {
  const cache = new PodStatusCache();
  cache.set('a', status, 10);
  const newer = cache.newerThan('a', 10);
  expect(await settled(newer)).toBe('waits');
  cache.set('a', { ...status, ips: ['10.0.0.2'] }, 10);
  await expect(newer).resolves.toMatchObject({ ips: ['10.0.0.2'] });
});

test('ends no wait with an older status', async () => {
  const cache = new PodStatusCache();
  const newer = cache.newerThan('a', 20);
  cache.set('a', status, 10);
  expect(await settled(newer)).toBe('waits');
  cache.setObservedTime('a', 21);
  await expect(newer).resolves.toBe(status);
});

test('returns an empty status after a listing without the pod', async () => {
  const cache = new PodStatusCache();
  const newer = cache.newerThan('nobody', 5);
  cache.updateTime(6);
  await expect(newer).resolves.toMatchObject({ uid: 'nobody' });
  await expect(cache.newerThan('nobody', 5)).resolves.toMatchObject({ uid: 'nobody' });
});

test('throws the error of a failed read until the next successful one', async () => {
  const cache = new PodStatusCache();
  cache.set('a', new Error('broken'), 10);
  expect(() => cache.get('a')).toThrow('broken');
  await expect(cache.newerThan('a', 5)).rejects.toThrow('broken');
  cache.set('a', status, 11);
  expect(cache.get('a')).toBe(status);
  cache.delete('a');
  expect(cache.get('a').ips).toEqual([]);
});
