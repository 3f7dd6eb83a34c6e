import { type WallClock, wallClockOf } from '#lib/machinery/wall-clock.ts';
import { CelError, type Timestamp } from '../values/value.ts';

const clocks = new Map<string, WallClock | CelError>();
const cacheSize = 64;

/** Returns a date whose UTC fields are the local time in the zone. The zone is a name in the zone database, or hours and minutes. */
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
  const clock = clockOf(name);
  if (clock instanceof CelError) return clock;
  return new Date(clock(date.getTime()) + (((date.getTime() % 1000) + 1000) % 1000));
}

function clockOf(name: string): WallClock | CelError {
  const known = clocks.get(name);
  if (known !== undefined) return known;
  const made = newClock(name);
  if (clocks.size >= cacheSize) clocks.delete(clocks.keys().next().value ?? '');
  clocks.set(name, made);
  return made;
}

function newClock(name: string): WallClock | CelError {
  try {
    return wallClockOf(name);
  } catch {
    return new CelError(`unknown time zone ${name}`);
  }
}
