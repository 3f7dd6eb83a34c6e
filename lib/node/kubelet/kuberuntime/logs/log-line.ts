/** One line of a container's log in CRI's format. */
export interface LogLine {
  readonly stream: 'stdout' | 'stderr';
  /** RFC 3339 with nine fractional digits, as shown to clients. */
  readonly timestamp: string;
  /** The same time in milliseconds since 1970, with fractions. */
  readonly time: number;
  /** Includes the newline, unless the container's line continues in the next one. */
  readonly content: Uint8Array;
}

const SPACE = 0x20;
const NEWLINE = 0x0a;
/** Maximum length of timestamp, stream and tags in bytes. */
const MAX_HEAD = 128;
const TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9})\d*)?(Z|[+-]\d{2}:\d{2})$/;

/** Parses `2016-10-06T00:17:09.669794202Z stdout P content`. Undefined for an invalid line (upstream: parseCRILog). */
export function parseLogLine(line: Uint8Array): LogLine | undefined {
  const afterTime = line.indexOf(SPACE) + 1;
  const afterStream = line.indexOf(SPACE, afterTime) + 1;
  const afterTags = line.indexOf(SPACE, afterStream) + 1;
  if (afterTime === 0 || afterStream === 0 || afterTags === 0 || afterTags > MAX_HEAD) return undefined;
  const [timestamp = '', stream, tags = ''] = new TextDecoder().decode(line.subarray(0, afterTags)).split(' ');
  const [, seconds, fraction = '', zone] = TIMESTAMP.exec(timestamp) ?? [];
  if (seconds === undefined || zone === undefined || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  const whole = Date.parse(`${seconds}${zone}`);
  if (Number.isNaN(whole)) return undefined;
  const isPartial = tags.split(':', 1)[0] === 'P';
  const end = isPartial && line.at(-1) === NEWLINE ? line.length - 1 : line.length;
  const digits = fraction.padEnd(9, '0');
  return {
    stream,
    timestamp: `${seconds}.${digits}${zone}`,
    time: whole + Number(digits) / 1e6,
    content: line.subarray(afterTags, Math.max(afterTags, end)),
  };
}
