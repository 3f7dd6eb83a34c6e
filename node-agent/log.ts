import { type LogFormat, stderrLog } from '#adapters/process/stderr-log.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';

/** Writes entries to standard error, without secrets. */
export interface Log {
  info(message: string): void;
  /** For details, which show from `--v 2` on. */
  debug(message: string): void;
  /** For `catch`: what failed, and why. */
  fault(what: string): (error: unknown) => void;
}

/** The form and detail of the log. */
export interface LogOptions {
  /** 0 logs faults and changes of state, 2 and more each step. */
  readonly verbosity: number;
  /** Absent: text on a terminal, JSON otherwise. */
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
