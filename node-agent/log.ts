import { messageOfError } from '#lib/machinery/error-message.ts';
import { jsonLine } from '#lib/machinery/json-line.ts';

/** Writes lines of JSON to standard error, no secrets among them. */
export interface Log {
  info(message: string): void;
  /** For details, which show from `--v 2` on. */
  debug(message: string): void;
  /** For `catch`: what failed, and why. */
  fault(what: string): (error: unknown) => void;
}

/** The log of an agent. */
export function agentLog(verbosity: number): Log {
  const print = (level: string, message: string): void => console.error(jsonLine({ level, message }));
  return {
    info: (message) => print('info', message),
    debug: (message) => verbosity >= 2 && print('debug', message),
    fault: (what) => (error) => print('error', `${what}: ${messageOfError(error)}`),
  };
}
