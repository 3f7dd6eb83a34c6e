import { dateOf, parseTime, TimeError } from './time.ts';

/** A time in milliseconds since 1970; undefined for one that is absent, empty or none that `parse` reads. */
export function millisecondsOf(time: string | null | undefined, parse = parseTime): number | undefined {
  try {
    return time === null || time === undefined ? undefined : dateOf(parse(time)).getTime();
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}
