import type { JsonObject } from './json-value.ts';
import { dateOf, parseTime, TimeError } from './time.ts';
import { text } from './unstructured.ts';

/** The time in a field, in milliseconds since 1970; undefined where there is none. */
export function timeAt(object: JsonObject | undefined, field: string, parse = parseTime): number | undefined {
  try {
    return dateOf(parse(text(object, field))).getTime();
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
