import { type Logger, loggerTo } from '#lib/client/controller/logger.ts';
import { logLine } from './log-line.ts';

/** A line of JSON for each message, which the platform keeps. */
export const lineLogger: Logger = loggerTo(logLine);
