import type { Json } from '#lib/machinery/json-value.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';

/** A condition of any kind of object. */
interface Condition {
  readonly type?: Json;
}

/** The condition of that type; undefined where there is none. */
export const conditionOf = <C extends Condition>(conditions: readonly C[], type: string): C | undefined =>
  conditions.find((one) => one.type === type);

/** The conditions but for the one of that type. */
export const without = <C extends Condition>(conditions: readonly C[], type: string): readonly C[] =>
  conditions.filter((one) => one.type !== type);

/** A time in milliseconds since 1970 as objects carry it: RFC 3339 in UTC, to the second. */
export const timeOf = (now: number): string => timeText(instantOf(new Date(now))) ?? '';
