const BUCKET = /^scheduler_scheduling_attempt_duration_seconds_bucket\{([^}]*)\} (\S+)/gm;

/**
 * A quantile of the duration of attempts in milliseconds, between two states of a scheduler's metrics. It is interpolated between the
 * bounds of the histogram's bucket, as in Prometheus. Only attempts that placed their pod count.
 */
export function attemptQuantile(before: string, after: string, share: number): number {
  const [old, counts] = [bucketsOf(before), bucketsOf(after)];
  const buckets = [...counts].map(([bound, count]) => ({ bound, count: count - (old.get(bound) ?? 0) }));
  buckets.sort((a, b) => a.bound - b.bound);
  const rank = share * (buckets.at(-1)?.count ?? 0);
  let lower = { bound: 0, count: 0 };
  for (const bucket of buckets) {
    if (bucket.count >= rank && bucket.count > lower.count) {
      const within = (rank - lower.count) / (bucket.count - lower.count);
      return 1000 * (Number.isFinite(bucket.bound) ? lower.bound + within * (bucket.bound - lower.bound) : lower.bound);
    }
    lower = bucket;
  }
  return Number.NaN;
}

/** Cumulative counts by the bucket's upper bound in seconds. */
function bucketsOf(metrics: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [, labels = '', count] of metrics.matchAll(BUCKET)) {
    if (!labels.includes('result="scheduled"')) continue;
    const bound = Number((/\ble="([^"]*)"/.exec(labels)?.[1] ?? '').replace('+Inf', 'Infinity'));
    counts.set(bound, (counts.get(bound) ?? 0) + Number(count));
  }
  return counts;
}
