import type { Deployment } from '#lib/api/types/apps.v1.ts';
import type { IntOrString } from '#lib/api/types/scalars.ts';
import { amountOf } from '#lib/server/registry/kinds/shared/int-or-percent.ts';
import { replicasOf } from '../replicaset/decide.ts';

/** Whether an update replaces pods by and by. */
export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/** A number, or a share of `total` that `round` makes whole. */
function scaled(value: IntOrString, total: number, round: (value: number) => number): number {
  const amount = amountOf(value);
  return typeof value === 'string' && value.endsWith('%') ? round((amount * total) / 100) : amount;
}

/**
 * The number of pods that there may be above the wanted number, and of wanted pods that may be missing, during an update. Where both
 * round to none, one may be missing: upstream's ResolveFenceposts.
 */
function fenceposts(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: above = 0, maxUnavailable: missing = 0 } = deployment.spec.strategy.rollingUpdate ?? {};
  const replicas = replicasOf(deployment);
  const surge = scaled(above, replicas, Math.ceil);
  const unavailable = scaled(missing, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The number of pods that there may be above the wanted number during an update. */
export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

/** The number of wanted pods that may be missing during an update. */
export function maxUnavailable(deployment: Deployment): number {
  if (!isRolling(deployment)) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicasOf(deployment));
}

/** The highest number of pods that there may be during an update. */
export const mostReplicas = (deployment: Deployment): number => replicasOf(deployment) + maxSurge(deployment);

/** The lowest number of pods that are available during an update. */
export const leastAvailable = (deployment: Deployment): number => replicasOf(deployment) - maxUnavailable(deployment);
