import type { JsonObject } from '#lib/machinery/json-value.ts';
import { intOrPercent } from '../shared/int-or-percent.ts';

/** How errors show the strategy of a rolling kind: as Go's JSON has the internal type. */
export function shownStrategy(type: string, rolling: JsonObject | undefined): ReadonlyMap<string, unknown> {
  const amounts = (of: JsonObject) =>
    new Map([
      ['MaxUnavailable', intOrPercent(of, 'maxUnavailable')],
      ['MaxSurge', intOrPercent(of, 'maxSurge')],
    ]);
  return new Map<string, unknown>([
    ['Type', type],
    ['RollingUpdate', rolling === undefined ? null : amounts(rolling)],
  ]);
}
