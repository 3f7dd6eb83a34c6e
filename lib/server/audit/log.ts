import { type AuditEvent, encodeEvent } from './event.ts';
import { legacyLine } from './legacy-line.ts';
import type { AuditSink, ReportLoss } from './sink.ts';

/** The formats of a line: `audit.k8s.io/v1` as JSON, or upstream's older text. */
export const LOG_FORMATS = ['json', 'legacy'] as const;
/** One of the formats. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The destination of lines: a file or the standard output. */
export interface LineWriter {
  /** Appends a line that ends with its newline. Throws if it fails. */
  write(line: string): void;
  close(): void;
}

/** The options of a log. */
export interface LogSinkOptions {
  readonly writer: LineWriter;
  readonly format: LogFormat;
  readonly reportLoss: ReportLoss;
}

/** Writes one line per event: upstream's log backend. */
export function logSink({ writer, format, reportLoss }: LogSinkOptions): AuditSink {
  const line = format === 'json' ? encodeEvent : legacyLine;
  const written = (event: AuditEvent): boolean => {
    try {
      writer.write(`${line(event)}\n`);
      return true;
    } catch (error) {
      reportLoss('log', error, [event]);
      return false;
    }
  };
  return {
    process: async (events) => events.map(written).every(Boolean),
    flush: async () => {},
    close: async () => writer.close(),
  };
}
