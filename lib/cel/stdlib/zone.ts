import { CelError, type Timestamp } from '../values/value.ts';

const formats = new Map<string, Intl.DateTimeFormat | CelError>();
const cacheSize = 64;

/** The date whose UTC fields are the instant's fields in the zone: a name of the zone database, or hours and minutes. */
export function inZone(timestamp: Timestamp, zone: string): Date | CelError {
  const date = new Date(Number((timestamp.nanos - floorMod(timestamp.nanos, 1_000_000n)) / 1_000_000n));
  if (zone === '' || zone === 'UTC') return date;
  const colon = zone.indexOf(':');
  return colon < 0 ? byName(date, zone) : byOffset(date, zone.slice(0, colon), zone.slice(colon + 1));
}

function floorMod(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function byOffset(date: Date, hours: string, minutes: string): Date | CelError {
  for (const part of [hours, minutes]) {
    if (!/^[+-]?\d{1,9}$/.test(part)) return new CelError(`strconv.Atoi: parsing "${part}": invalid syntax`);
  }
  const signed = Number(hours) * 60 + (hours.startsWith('-') ? -Number(minutes) : Number(minutes));
  return new Date(date.getTime() + signed * 60_000);
}

function byName(date: Date, name: string): Date | CelError {
  const format = formatOf(name);
  if (format instanceof CelError) return format;
  const fields = new Map(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const field = (type: Intl.DateTimeFormatPartTypes) => fields.get(type) ?? 0;
  const local = new Date(date);
  local.setUTCFullYear(field('year'), field('month') - 1, field('day'));
  local.setUTCHours(field('hour'), field('minute'), field('second'));
  return local;
}

function formatOf(name: string): Intl.DateTimeFormat | CelError {
  const known = formats.get(name);
  if (known) return known;
  const made = newFormat(name);
  if (formats.size >= cacheSize) formats.delete(formats.keys().next().value ?? '');
  formats.set(name, made);
  return made;
}

function newFormat(name: string): Intl.DateTimeFormat | CelError {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', calendar: 'gregory', ...fields });
  } catch {
    return new CelError(`unknown time zone ${name}`);
  }
}
