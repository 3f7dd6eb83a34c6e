import { expect, test } from 'vitest';
import { milliCPUToQuota, milliCPUToShares, quotaToMilliCPU, sharesToMilliCPU } from './cpu-shares.ts';

test.each([
  [0n, 2n],
  [1n, 2n],
  [2n, 2n],
  [3n, 3n],
  [200n, 204n],
  [1000n, 1024n],
  [2000n, 2048n],
  [256_000n, 262_144n],
  [300_000n, 262_144n],
])('converts %s millicores to %s shares', (milli, shares) => {
  expect(milliCPUToShares(milli)).toBe(shares);
});

test.each([
  [0n, 100_000n, 0n],
  [5n, 100_000n, 1000n],
  [10n, 100_000n, 1000n],
  [200n, 100_000n, 20_000n],
  [1500n, 100_000n, 150_000n],
  [200n, 5000n, 1000n],
  [1000n, 5000n, 5000n],
])('converts %s millicores with a period of %s µs to a quota of %s µs', (milli, period, quota) => {
  expect(milliCPUToQuota(milli, period)).toBe(quota);
});

test.each([
  [0n, 0n],
  [1n, 0n],
  [2n, 2n],
  [5n, 5n],
  [1024n, 1000n],
  [1025n, 1001n],
])('converts %s shares to %s millicores', (shares, milli) => {
  expect(sharesToMilliCPU(shares)).toBe(milli);
});

test.each([
  [-1n, 100_000n, 0n],
  [0n, 100_000n, 0n],
  [150_000n, 100_000n, 1500n],
])('converts a quota of %s µs per %s µs to %s millicores', (quota, period, milli) => {
  expect(quotaToMilliCPU(quota, period)).toBe(milli);
});
