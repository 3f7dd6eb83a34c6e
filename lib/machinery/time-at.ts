import { dateOf, parseTime, TimeError } from './time.ts';

/** A time in ms since 1970; undefined if it is absent, empty or invalid for `parse`. */
export function millisecondsOf(time: string | null | undefined, parse = parseTime): number | undefined {
  try {
    return time === null || time === undefined ? undefined : dateOf(parse(time)).getTime();
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
