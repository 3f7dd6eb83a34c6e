import type { Logger } from '#lib/controller/logger.ts';
import { logLine } from './log-line.ts';

/** A line of JSON for each message, which the platform keeps. */
export const lineLogger: Logger = {
  info: (message, fields) => logLine({ level: 'info', message, ...fields }),
  error: (message, fields) => logLine({ level: 'error', message, ...fields }),
};
