const MIN_SHARES = 2n;
const MAX_SHARES = 262_144n;
const SHARES_PER_CPU = 1024n;
const MILLI_PER_CPU = 1000n;
/** Microseconds. */
const MIN_QUOTA = 1000n;

/** The CPU shares of a request in thousandths of a CPU: upstream's MilliCPUToShares. */
export function milliCPUToShares(milliCPU: bigint): bigint {
  const shares = (milliCPU * SHARES_PER_CPU) / MILLI_PER_CPU;
  if (shares < MIN_SHARES) return MIN_SHARES;
  return shares > MAX_SHARES ? MAX_SHARES : shares;
}

/** The CFS quota of a limit in thousandths of a CPU, 0 for none. Quota and period in microseconds: upstream's MilliCPUToQuota. */
export function milliCPUToQuota(milliCPU: bigint, period: bigint): bigint {
  if (milliCPU === 0n) return 0n;
  const quota = (milliCPU * period) / MILLI_PER_CPU;
  return quota < MIN_QUOTA ? MIN_QUOTA : quota;
}

/** The thousandths of a CPU that shares stand for, rounded up; 0 below the least shares. */
export const sharesToMilliCPU = (shares: bigint): bigint =>
  shares < MIN_SHARES ? 0n : (shares * MILLI_PER_CPU + SHARES_PER_CPU - 1n) / SHARES_PER_CPU;

/** The thousandths of a CPU that a quota in a period stands for; 0 for no bound. */
export const quotaToMilliCPU = (quota: bigint, period: bigint): bigint =>
  quota === -1n ? 0n : (quota * MILLI_PER_CPU) / period;
