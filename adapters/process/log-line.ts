import { jsonLine } from '#lib/machinery/json-line.ts';
import { currentRequestId } from './work.ts';

/** Log levels, from the lowest to the highest. */
export const LOG_LEVELS = ['info', 'warning', 'error'] as const;

/** The level of a line. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const isLevel = (text: unknown): text is LogLevel => LOG_LEVELS.some((level) => level === text);

/** The lowest level that is printed, from `DAVIT_LOG_LEVEL`. Default: all levels are printed. */
function least(): LogLevel {
  const text = process.env['DAVIT_LOG_LEVEL'];
  return isLevel(text) ? text : 'info';
}

/**
 * Prints one line of JSON with the time and the platform's request id, if its level is enabled. A line without one of these levels is
 * always printed. It does not use the console, because the platform's console wraps the line into text that field filters cannot search.
 */
export function logLine(line: object): void {
  const level = 'level' in line ? line.level : undefined;
  if (isLevel(level) && LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least())) return;
  const requestId = currentRequestId();
  const known = { timestamp: new Date().toISOString(), ...(requestId === undefined ? {} : { requestId }) };
  process.stdout.write(`${jsonLine({ ...known, ...line })}\n`);
}
