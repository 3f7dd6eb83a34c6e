import type { Logger } from '#lib/controller/logger.ts';
import { jsonLine } from '#lib/machinery/json-line.ts';

/** One line of JSON, to standard error. */
export const printLine = (line: object): void => console.error(jsonLine(line));

const write =
  (level: 'info' | 'error') =>
  (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    printLine({ level, message, ...fields });

/** A line of JSON for each message, to standard error. */
export const jsonLogger: Logger = { info: write('info'), error: write('error') };

/** Logs an error that nothing handled, with where it came from. */
export const logUnhandled = (error: Error, origin: string): void =>
  jsonLogger.error(error.stack ?? error.message, { origin });
