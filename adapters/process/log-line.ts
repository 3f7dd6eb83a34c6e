import { jsonLine } from '#lib/machinery/json-line.ts';
import { currentRequestId } from './work.ts';

/** Levels of lines, the least first. */
export const LOG_LEVELS = ['info', 'warning', 'error'] as const;

/** A level of a line. */
export type LogLevel = (typeof LOG_LEVELS)[number];

const isLevel = (text: unknown): text is LogLevel => LOG_LEVELS.some((level) => level === text);

/** The least level that is printed: `DAVIT_LOG_LEVEL`. Default all. */
function least(): LogLevel {
  const text = process.env['DAVIT_LOG_LEVEL'];
  return isLevel(text) ? text : 'info';
}

/**
 * Prints one line of JSON with the time and the platform's id of the request, if its level is printed; a line without one of
 * these levels always is. Not by the console: the platform's wraps it into a text, and no filter of fields finds it then.
 */
export function logLine(line: object): void {
  const level = 'level' in line ? line.level : undefined;
  if (isLevel(level) && LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least())) return;
  const requestId = currentRequestId();
  const known = { timestamp: new Date().toISOString(), ...(requestId === undefined ? {} : { requestId }) };
  process.stdout.write(`${jsonLine({ ...known, ...line })}\n`);
}
