import { dateOf, instantOf, parseTime, TimeError, timeText } from './time.ts';

/** A time in ms since 1970; undefined if the text is absent, empty or rejected by `parse`. */
export function millisecondsOf(time: string | null | undefined, parse = parseTime): number | undefined {
  try {
    return time === null || time === undefined ? undefined : dateOf(parse(time)).getTime();
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}

/** Formats a date, or a time in ms since 1970, as objects store it: RFC 3339 in UTC, to the second. */
export const timeOf = (now: Date | number): string => timeText(instantOf(new Date(now))) ?? '';
