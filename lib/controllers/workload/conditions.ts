import type { Json } from '#lib/machinery/json-value.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';

/** A condition of any kind of object. */
interface Condition {
  readonly type?: Json;
}

/** The condition of that type. Undefined if there is none. */
export const conditionOf = <C extends Condition>(conditions: readonly C[], type: string): C | undefined =>
  conditions.find((one) => one.type === type);

/** The conditions without the one of that type. */
export const without = <C extends Condition>(conditions: readonly C[], type: string): readonly C[] =>
  conditions.filter((one) => one.type !== type);

/** Formats a time in ms since 1970 as objects store it: RFC 3339 in UTC, to the second. */
export const timeOf = (now: number): string => timeText(instantOf(new Date(now))) ?? '';
