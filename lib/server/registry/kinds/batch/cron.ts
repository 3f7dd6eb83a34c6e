import { parseDuration } from '#lib/machinery/duration.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_INT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { TimeError } from '#lib/machinery/time.ts';
import { isTimeZone } from './time-zone.ts';

/** The numbers that a field of a schedule allows. `any` is true for a star, which affects how days of month and days of week combine. */
export interface CronField {
  readonly numbers: ReadonlySet<number>;
  readonly any: boolean;
}

/** A cron schedule: either fields or a fixed interval in seconds. */
export interface CronSchedule {
  /** The time zone in the schedule itself. */
  readonly zone?: string;
  readonly when: CronFields | { readonly every: number };
}

/** In cron's field order. */
export interface CronFields {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

/** The bounds of a schedule's field and the names of its numbers. */
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
const DESCRIPTORS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const EVERY = '@every ';

/** The maximum length of a schedule in characters. A schedule that lists every number of every field has 500. Upstream has no limit. */
const MAX_LENGTH = 4096;

/** The error of a cron schedule, in the words of upstream's parser. Undefined if it is valid. */
export function cronError(schedule: string): string | undefined {
  const parsed = parseCron(schedule);
  return typeof parsed === 'string' ? parsed : undefined;
}

/** Parses a cron schedule (robfig/cron v3). Returns the error message if it is invalid. */
export function parseCron(schedule: string): CronSchedule | string {
  if (schedule.length > MAX_LENGTH) return `schedule is longer than ${MAX_LENGTH} characters`;
  const zoned = /^(?:CRON_)?TZ=([^ ]*)(?: (.*))?$/s.exec(schedule);
  if (zoned !== null && zoned[2] === undefined) {
    return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  }
  const [, zone = '', spec = schedule] = zoned ?? [];
  if (zone !== '' && !isTimeZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  const when = parseSpec(zoned === null ? spec : spec.trim());
  if (typeof when === 'string') return when;
  return zoned === null ? { when } : { zone: zone === '' ? 'UTC' : zone, when };
}

function parseSpec(spec: string): CronSchedule['when'] | string {
  if (spec.startsWith('@')) return parseDescriptor(spec);
  const texts = spec.split(/\s+/).filter((field) => field !== '');
  if (texts.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${texts.length}: [${texts.join(' ')}]`;
  }
  const fields: CronField[] = [];
  for (const [i, bounds] of FIELDS.entries()) {
    const field = parseField(texts[i] ?? '', bounds);
    if (typeof field === 'string') return field;
    fields.push(field);
  }
  const [minute = NONE, hour = NONE, day = NONE, month = NONE, weekday = NONE] = fields;
  return { minute, hour, day, month, weekday };
}

const NONE: CronField = { numbers: new Set(), any: false };

/** Parses a descriptor. Rounds intervals to whole seconds, at least one. */
function parseDescriptor(descriptor: string): CronSchedule['when'] | string {
  const spec = DESCRIPTORS.get(descriptor);
  if (spec !== undefined) return parseSpec(spec);
  if (!descriptor.startsWith(EVERY)) return `unrecognized descriptor: ${descriptor}`;
  try {
    return { every: Math.max(1, Number(parseDuration(descriptor.slice(EVERY.length)) / 1_000_000_000n)) };
  } catch (error) {
    if (error instanceof TimeError) return `failed to parse duration ${descriptor}: ${error.message}`;
    throw error;
  }
}

function parseField(field: string, bounds: Bounds): CronField | string {
  const numbers = new Set<number>();
  let any = false;
  for (const expression of field.split(',').filter((range) => range !== '')) {
    const range = parseRange(expression, bounds);
    if (typeof range === 'string') return range;
    any ||= range.any;
    for (let number = range.start; number <= range.end; number += range.step) numbers.add(number);
  }
  return { numbers, any };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly any: boolean;
}

function parseRange(expression: string, bounds: Bounds): Range | string {
  const [range = '', ...steps] = expression.split('/');
  const limits = limitsOf(range, expression, bounds);
  if (typeof limits === 'string') return limits;
  if (steps.length > 1) return `too many slashes: ${expression}`;
  const step = steps[0] === undefined ? 1 : parseNumber(steps[0]);
  if (typeof step === 'string') return step;
  const [start, limit, single] = limits;
  // "5/15" starts at 5 and ends at the maximum.
  const end = steps.length === 1 && single ? bounds.max : limit;
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expression}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  if (step === 0) return `step of range should be a positive number: ${expression}`;
  return { start, end, step, any: step === 1 && /^[*?]/.test(expression) };
}

/** The first and last number, and whether the range has no hyphen. */
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

function parseNumber(value: string): number | string {
  const failed = (why: string): string =>
    `failed to parse int from ${value}: strconv.Atoi: parsing ${quote(value)}: ${why}`;
  if (!/^[+-]?[0-9]+$/.test(value) || value.length > 300) return failed('invalid syntax');
  const number = BigInt(value.replace('+', ''));
  if (number > MAX_INT64 || number < MIN_INT64) return failed('value out of range');
  return number < 0n ? `negative number (${number}) not allowed: ${value}` : Number(number);
}
