import { type WallClock, wallClockOf } from '#lib/machinery/wall-clock.ts';

/** A zone's offset from UTC, in seconds east, at an instant in seconds since 1970. */
export type Offset = (seconds: number) => number;

const UTC: Offset = () => 0;
const offsets = new Map<string, Offset>([
  ['', UTC],
  ['UTC', UTC],
  ['Local', UTC], // functions have no local time zone
]);

/** The offsets of an IANA time zone. Throws RangeError if the runtime does not know it. */
export function offsetOf(zone: string): Offset {
  const known = offsets.get(zone);
  if (known !== undefined) return known;
  const offset = offsetBy(wallClockOf(zone));
  offsets.set(zone, offset);
  return offset;
}

/** Transitions occur at multiples of a quarter of an hour, so the offset is cached for the last quarter. */
const QUARTER = 900;

function offsetBy(clock: WallClock): Offset {
  let [at, offset] = [NaN, 0];
  return (seconds) => {
    const quarter = Math.floor(seconds / QUARTER);
    const begin = quarter * QUARTER;
    if (quarter !== at) [at, offset] = [quarter, clock(begin * 1000) / 1000 - begin];
    return offset;
  };
}

/**
 * The instant at which the zone's local time is `wall` seconds. Ambiguous or skipped times resolve like Go's time.Date, with the offset
 * before or after the transition, whichever it finds.
 */
export function instantAt(wall: number, offset: Offset): number {
  const first = offset(wall);
  return first === 0 ? wall : wall - offset(wall - first);
}

/** Formats an instant, in seconds since 1970, as RFC 3339 in the zone, to the second. */
export function zonedText(seconds: number, offset: Offset): string {
  const east = offset(seconds);
  const wall = new Date((seconds + east) * 1000).toISOString().slice(0, 19);
  if (east === 0) return `${wall}Z`;
  const minutes = Math.trunc(Math.abs(east) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${wall}${east < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}
