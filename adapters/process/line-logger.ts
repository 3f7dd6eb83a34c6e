import { type Logger, loggerTo } from '#lib/client/controller/logger.ts';
import { logLine } from './log-line.ts';

/** Logs a line of JSON per message, which the platform stores. */
export const lineLogger: Logger = loggerTo(logLine);
