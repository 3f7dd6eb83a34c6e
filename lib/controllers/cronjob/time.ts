import type { Time } from '#lib/api/types/scalars.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** A `metav1.Time` in seconds since 1970, undefined for undefined. Throws TimeError. */
export const secondsOf = (time: Time | undefined): number | undefined =>
  time === undefined ? undefined : dateOf(parseTime(time)).getTime() / 1000;
