import { escapeUnprintable, jsonLine } from './json-line.ts';

/** The indentation of a continuation line, so that untrusted text cannot imitate the start of an entry. */
const INDENT = '    ';

/**
 * Formats a log entry for a terminal: time, level, message and the other fields as `name=value`, like Go's text loggers. Multi-line texts
 * such as stacks follow on indented lines. Escapes every control character.
 */
export function textLine(line: object): string {
  const { timestamp, level, message, ...fields } = line as Readonly<Record<string, unknown>>;
  const [first = '', ...more] = lines(typeof message === 'string' ? message : '');
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const long = entries.filter(([, value]) => isLong(value));
  const short = entries.filter(([, value]) => !isLong(value)).map(([name, value]) => `${name}=${valueText(value)}`);
  const head = [
    String(timestamp ?? ''),
    String(level ?? '')
      .toUpperCase()
      .padEnd(7),
    first,
    ...short,
  ];
  const rest = [...more, ...long.flatMap(([, value]) => lines(String(value)))];
  return [head.filter((part) => part !== '').join(' '), ...rest.map((text) => INDENT + text)]
    .map((text) => escapeUnprintable(text.trimEnd()))
    .join('\n');
}

const lines = (text: string): string[] => text.split('\n').filter((one, i) => i === 0 || one.trim() !== '');

const isLong = (value: unknown): boolean => typeof value === 'string' && value.includes('\n');

/** Returns a single word unchanged, and anything else as JSON. */
const valueText = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/u.test(value) ? value : jsonLine(value);
