const MIN_SHARES = 2n;
const MAX_SHARES = 262_144n;
const SHARES_PER_CPU = 1024n;
const MILLI_PER_CPU = 1000n;
/** Minimum quota in microseconds. */
const MIN_QUOTA = 1000n;

/** The CPU shares for a request in millicores (upstream: MilliCPUToShares). */
export function milliCPUToShares(milliCPU: bigint): bigint {
  const shares = (milliCPU * SHARES_PER_CPU) / MILLI_PER_CPU;
  if (shares < MIN_SHARES) return MIN_SHARES;
  return shares > MAX_SHARES ? MAX_SHARES : shares;
}

/** The CFS quota for a limit in millicores, 0 without a limit. Quota and period are in microseconds (upstream: MilliCPUToQuota). */
export function milliCPUToQuota(milliCPU: bigint, period: bigint): bigint {
  if (milliCPU === 0n) return 0n;
  const quota = (milliCPU * period) / MILLI_PER_CPU;
  return quota < MIN_QUOTA ? MIN_QUOTA : quota;
}

/** The millicores for CPU shares, rounded up, or 0 below the minimum. */
export const sharesToMilliCPU = (shares: bigint): bigint =>
  shares < MIN_SHARES ? 0n : (shares * MILLI_PER_CPU + SHARES_PER_CPU - 1n) / SHARES_PER_CPU;

/** The millicores for a quota in a period, 0 for no limit. */
export const quotaToMilliCPU = (quota: bigint, period: bigint): bigint =>
  quota === -1n ? 0n : (quota * MILLI_PER_CPU) / period;
