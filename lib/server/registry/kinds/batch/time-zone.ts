import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';

const PART = /^[A-Za-z._\-0-9+]{1,14}$/;
/** The maximum length of a time zone name in characters. The longest existing name has 32. */
const MAX_LENGTH = 255;
const EXPLICIT = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';

/** Validates a time zone name of the IANA database. */
export function validateTimeZone(zone: string, path: FieldPath): FieldError[] {
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  const wellFormed = zone
    .split('/')
    .every((part) => part !== '.' && part !== '..' && !part.startsWith('-') && PART.test(part));
  if (!wellFormed) return [invalid(path, zone, `unknown time zone ${zone}`)];
  const local = zone.toLowerCase() === 'local' ? [invalid(path, zone, EXPLICIT)] : [];
  return isTimeZone(zone) ? local : [...local, invalid(path, zone, `unknown time zone ${zone}`)];
}

/** Whether the time zone is valid in Go. `Local` exists only in Go. Offsets and arbitrary letter case exist only in JavaScript. */
export function isTimeZone(zone: string): boolean {
  if (zone === 'Local') return true;
  if (zone.length > MAX_LENGTH) return false;
  const spelled = Intl.supportedValuesOf('timeZone').find((name) => name.toLowerCase() === zone.toLowerCase());
  if (/^[+-]/.test(zone) || (spelled !== undefined && spelled !== zone)) return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
