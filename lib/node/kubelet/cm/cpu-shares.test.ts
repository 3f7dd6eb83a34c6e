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
])('%s thousandths of a CPU have %s shares', (milli, shares) => {
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
])('%s thousandths of a CPU in %s µs have a quota of %s µs', (milli, period, quota) => {
  expect(milliCPUToQuota(milli, period)).toBe(quota);
});

test.each([
  [0n, 0n],
  [1n, 0n],
  [2n, 2n],
  [5n, 5n],
  [1024n, 1000n],
  [1025n, 1001n],
])('%s shares stand for %s thousandths of a CPU', (shares, milli) => {
  expect(sharesToMilliCPU(shares)).toBe(milli);
});

test.each([
  [-1n, 100_000n, 0n],
  [0n, 100_000n, 0n],
  [150_000n, 100_000n, 1500n],
])('a quota of %s µs in %s µs stands for %s thousandths of a CPU', (quota, period, milli) => {
  expect(quotaToMilliCPU(quota, period)).toBe(milli);
});
