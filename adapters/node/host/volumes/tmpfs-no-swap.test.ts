import { expect, test } from 'vitest';
import { MemoryMounter } from '#lib/node/volume/testing/memory-host.ts';
import { supportsTmpfsNoSwap } from './tmpfs-no-swap.ts';

const FIRST = '         0          0 4294967295\n';

test.each([
  ['6.3.9', undefined, true],
  ['5.15.0-89-generic', 'mount failed: exit status 32', false],
  ['unknown', 'mount failed: exit status 32', false],
])('decides for Linux %s with the mount error %j: %j', async (version, failure, expected) => {
  const mounter = new MemoryMounter();
  mounter.failure = failure;
  expect(await supportsTmpfsNoSwap(mounter, { kernelVersion: version, uidMap: FIRST })).toBe(expected);
  expect([...mounter.mounts, ...mounter.failed]).toHaveLength(failure === undefined ? 0 : 1);
});

test('does not test a newer Linux', async () => {
  const mounter = new MemoryMounter();
  expect(await supportsTmpfsNoSwap(mounter, { kernelVersion: '6.10.0', uidMap: FIRST })).toBe(true);
  expect([...mounter.mounts, ...mounter.failed]).toEqual([]);
});

test('returns false in a user namespace', async () => {
  const options = { kernelVersion: '6.10.0', uidMap: '0 100000 65536' };
  expect(await supportsTmpfsNoSwap(new MemoryMounter(), options)).toBe(false);
});
