import type { Deployment } from '#lib/api/types/apps.v1.ts';
import type { IntOrString } from '#lib/api/types/scalars.ts';
import { amountOf } from '#lib/server/registry/kinds/shared/int-or-percent.ts';
import { replicasOf } from '../replicaset/decide.ts';

/** Whether an update replaces pods gradually. */
export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/** An absolute number, or a percentage of `total` rounded with `round`. */
function scaled(value: IntOrString, total: number, round: (value: number) => number): number {
  const amount = amountOf(value);
  return typeof value === 'string' && value.endsWith('%') ? round((amount * total) / 100) : amount;
}

/**
 * The maxSurge and maxUnavailable of an update, in pods. If both round to zero, one pod may be unavailable: upstream's
 * ResolveFenceposts.
 */
function fenceposts(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge: above = 0, maxUnavailable: missing = 0 } = deployment.spec.strategy.rollingUpdate ?? {};
  const replicas = replicasOf(deployment);
  const surge = scaled(above, replicas, Math.ceil);
  const unavailable = scaled(missing, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The number of pods that an update may create above the wanted number. */
export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

/** The number of wanted pods that may be unavailable during an update. */
export function maxUnavailable(deployment: Deployment): number {
  if (!isRolling(deployment)) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicasOf(deployment));
}

/** The maximum number of pods during an update. */
export const mostReplicas = (deployment: Deployment): number => replicasOf(deployment) + maxSurge(deployment);

/** The minimum number of available pods during an update. */
export const leastAvailable = (deployment: Deployment): number => replicasOf(deployment) - maxUnavailable(deployment);
