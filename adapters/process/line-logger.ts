import { type Logger, loggerTo } from '#lib/client/controller/logger.ts';
import { logLine } from './log-line.ts';

/** Logs each message as one line of JSON, which the platform stores. */
export const lineLogger: Logger = loggerTo(logLine);
