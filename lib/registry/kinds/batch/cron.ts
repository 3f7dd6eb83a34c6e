import { quote } from '#lib/machinery/go.ts';
import { durationError } from './duration.ts';
import { isTimeZone } from './time-zone.ts';

/** A field of a schedule: its bounds, and names for its numbers. */
interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
const EVERY = '@every ';

/** What is wrong with a schedule in cron's notation, as the parser that upstream uses says it. */
export function cronError(schedule: string): string | undefined {
  const zoned = /^(?:CRON_)?TZ=([^ ]*)(?: (.*))?$/s.exec(schedule);
  if (zoned !== null && zoned[2] === undefined) {
    return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  }
  if (zoned === null) return specError(schedule);
  const [, zone = '', spec = ''] = zoned;
  if (zone !== '' && !isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  return specError(spec.trim());
}

function specError(spec: string): string | undefined {
  if (spec.startsWith('@')) return descriptorError(spec);
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  return first(fields, (field, i) => fieldError(field, FIELDS[i] as Bounds));
}

function first<T>(list: readonly T[], check: (item: T, i: number) => string | undefined): string | undefined {
  for (const [i, item] of list.entries()) {
    const wrong = check(item, i);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function descriptorError(descriptor: string): string | undefined {
  if (DESCRIPTORS.includes(descriptor)) return undefined;
  if (!descriptor.startsWith(EVERY)) return `unrecognized descriptor: ${descriptor}`;
  const wrong = durationError(descriptor.slice(EVERY.length));
  return wrong === undefined ? undefined : `failed to parse duration ${descriptor}: ${wrong}`;
}

function fieldError(field: string, bounds: Bounds): string | undefined {
  return first(
    field.split(',').filter((range) => range !== ''),
    (range) => rangeError(range, bounds),
  );
}

function rangeError(expression: string, bounds: Bounds): string | undefined {
  const [range = '', ...steps] = expression.split('/');
  const limits = limitsOf(range, expression, bounds);
  if (typeof limits === 'string') return limits;
  if (steps.length > 1) return `too many slashes: ${expression}`;
  const step = steps[0] === undefined ? 1 : parseNumber(steps[0]);
  if (typeof step === 'string') return step;
  const [start, limit, single] = limits;
  // "5/15" goes from 5 to the end.
  const end = steps.length === 1 && single ? bounds.max : limit;
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expression}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return step === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** First, last, and whether there is no hyphen. */
function limitsOf(range: string, expression: string, bounds: Bounds): [number, number, boolean] | string {
  const [low = '', high, ...more] = range.split('-');
  const single = high === undefined;
  if (low === '*' || low === '?') return [bounds.min, bounds.max, single];
  const start = parseNameOrNumber(low, bounds);
  if (typeof start === 'string') return start;
  if (more.length > 0) return `too many hyphens: ${expression}`;
  const end = single ? start : parseNameOrNumber(high, bounds);
  return typeof end === 'string' ? end : [start, end, single];
}

function parseNameOrNumber(value: string, { min, names }: Bounds): number | string {
  const index = names?.indexOf(value.toLowerCase()) ?? -1;
  return index >= 0 ? index + min : parseNumber(value);
}

const INT64_MAX = 2n ** 63n - 1n;

function parseNumber(value: string): number | string {
  const failed = (why: string): string =>
    `failed to parse int from ${value}: strconv.Atoi: parsing ${quote(value)}: ${why}`;
  if (!/^[+-]?[0-9]+$/.test(value) || value.length > 300) return failed('invalid syntax');
  const number = BigInt(value.replace('+', ''));
  if (number > INT64_MAX || number < -INT64_MAX - 1n) return failed('value out of range');
  return number < 0n ? `negative number (${number}) not allowed: ${value}` : Number(number);
}
