import { aggregateText } from '#lib/machinery/aggregate.ts';
import { quote } from '#lib/machinery/go.ts';
import type { PodSyncResult } from './container/sync-result.ts';
import { SyncError } from './podworkers/sync-error.ts';

/**
 * The failures of a sync as one error, with the earliest end of a back-off, or undefined without a failure (upstream: PodSyncResult.Error).
 */
export function errorOfSync({ error, results }: PodSyncResult): SyncError | undefined {
  const failed = results.flatMap(({ action, target, error: cause }) =>
    cause === undefined
      ? []
      : [
          {
            cause,
            text: `failed to ${quote(action)} for ${quote(target)} with ${cause.reason}: ${quote(cause.message)}`,
          },
        ],
  );
  const all = error === undefined ? failed : [{ cause: error, text: `failed to SyncPod: ${error.message}` }, ...failed];
  if (all.length === 0) return undefined;
  const ends = all.flatMap(({ cause: { backoffUntil } }) => (backoffUntil === undefined ? [] : [backoffUntil]));
  const backoffUntil = ends.length === 0 ? undefined : Math.min(...ends);
  return new SyncError(aggregateText(all.map(({ text }) => text)), { backoffUntil, cause: all[0]?.cause });
}
