import { jsonLine } from '#lib/machinery/json-line.ts';
import { textLine } from '#lib/machinery/text-line.ts';

/** Log formats: text for people, JSON for programs. */
export const LOG_FORMATS = ['text', 'json'] as const;

/** The format of a log. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Writes one log entry: level, message and further fields. */
export type WriteLine = (line: object) => void;

/**
 * The log of a program that a user starts. It is written to standard error, with a time in each entry. Default: text on a terminal, JSON
 * otherwise.
 */
export function stderrLog(format: LogFormat = process.stderr.isTTY ? 'text' : 'json'): WriteLine {
  const encode = format === 'json' ? jsonLine : textLine;
  return (line) => console.error(encode({ timestamp: new Date().toISOString(), ...line }));
}
