import type { Logger } from '#lib/controller/logger.ts';

const write =
  (level: 'info' | 'error') =>
  (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
    console.error(JSON.stringify({ level, message, ...fields }));

/** A line of JSON for each message, to standard error. */
export const jsonLogger: Logger = { info: write('info'), error: write('error') };
