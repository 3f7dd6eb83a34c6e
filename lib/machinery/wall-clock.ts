/** Converts an instant to a zone's local time, represented as if it were UTC. Both are in ms since 1970. */
export type WallClock = (instant: number) => number;

/** The clock of an IANA time zone. Throws RangeError if the runtime does not support it. */
export function wallClockOf(timeZone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    calendar: 'gregory',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => shown(format.formatToParts(instant));
}

function shown(parts: readonly Intl.DateTimeFormatPart[]): number {
  const texts = new Map(parts.map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(texts.get(type));
  const year = texts.get('era') === 'BC' ? 1 - part('year') : part('year');
  // Date.UTC adds 1900 to years below 100.
  const date = new Date(0);
  date.setUTCFullYear(year, part('month') - 1, part('day'));
  return date.setUTCHours(part('hour'), part('minute'), part('second'));
}
