import { type LogFormat, stderrLog } from '#adapters/process/stderr-log.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';

/** Writes entries to standard error, without secrets. */
export interface Log {
  info(message: string): void;
  /** Logs details, which are shown with `--v 2` or more. */
  debug(message: string): void;
  /** Returns a handler for `catch` that logs the failed action and the reason. */
  fault(what: string): (error: unknown) => void;
}

/** The format and verbosity of the log. */
export interface LogOptions {
  /** 0 logs faults and state changes. 2 or more also logs each step. */
  readonly verbosity: number;
  /** Default: text on a terminal, JSON otherwise. */
  readonly logFormat?: LogFormat;
}

/** The log of an agent. */
export function agentLog({ verbosity, logFormat }: LogOptions): Log {
  const write = stderrLog(logFormat);
  const print = (level: string, message: string): void => write({ level, message });
  return {
    info: (message) => print('info', message),
    debug: (message) => verbosity >= 2 && print('debug', message),
    fault: (what) => (error) => print('error', `${what}: ${messageOfError(error)}`),
  };
}
