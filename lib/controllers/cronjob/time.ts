import { stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** A `metav1.Time` of an object as seconds since 1970. */
export function timeAt(object: JsonObject | undefined, field: string): number | undefined {
  const time = stringAt(object, field);
  return time === undefined ? undefined : dateOf(parseTime(time)).getTime() / 1000;
}
