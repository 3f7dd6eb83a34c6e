/** Go's math.MaxInt32. */
export const MAX_INT32 = 2 ** 31 - 1;
/** Go's math.MinInt32. */
export const MIN_INT32 = -(2 ** 31);
/** Go's math.MaxInt64. Comparing it with a number is exact. */
export const MAX_INT64 = 2n ** 63n - 1n;
/** Go's math.MinInt64. */
export const MIN_INT64 = -(2n ** 63n);
/** Go's math.MaxUint64. */
export const MAX_UINT64 = 2n ** 64n - 1n;
