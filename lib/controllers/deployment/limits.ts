import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { amountOf, intOrPercent } from '#lib/registry/kinds/shared/int-or-percent.ts';
import { replicasOf } from '../replicaset/decide.ts';

export const isRolling = (deployment: JsonObject): boolean =>
  text(at(deployment, 'spec', 'strategy'), 'type') === 'RollingUpdate';

/** A number, or a share of `total` that `round` makes whole. */
function scaled(value: Json, total: number, round: (value: number) => number): number {
  const amount = amountOf(value);
  return typeof value === 'string' && value.endsWith('%') ? round((amount * total) / 100) : amount;
}

/**
 * How many pods there may be above the wanted number, and how many of those wanted may be missing, during an update. Where both
 * round to none, one may be missing: upstream's ResolveFenceposts.
 */
function fenceposts(deployment: JsonObject): { readonly surge: number; readonly unavailable: number } {
  const rolling = at(deployment, 'spec', 'strategy', 'rollingUpdate') ?? {};
  const replicas = replicasOf(deployment);
  const surge = scaled(intOrPercent(rolling, 'maxSurge'), replicas, Math.ceil);
  const unavailable = scaled(intOrPercent(rolling, 'maxUnavailable'), replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export const maxSurge = (deployment: JsonObject): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

export function maxUnavailable(deployment: JsonObject): number {
  if (!isRolling(deployment)) return 0;
  return Math.min(fenceposts(deployment).unavailable, replicasOf(deployment));
}

/** The most pods that there may be during an update. */
export const mostReplicas = (deployment: JsonObject): number => replicasOf(deployment) + maxSurge(deployment);

export const leastAvailable = (deployment: JsonObject): number => replicasOf(deployment) - maxUnavailable(deployment);
