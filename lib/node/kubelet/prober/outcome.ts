/** The outcome of one probe (upstream: probe.Result with its output). `output` is for the event. */
export interface ProbeOutcome {
  readonly result: 'success' | 'warning' | 'failure';
  readonly output: string;
}

/** Bytes of a command's or server's answer that a probe reads. */
export const MAX_OUTPUT = 10 * 1024;

/** A probe that went well. */
export const succeeded = (output: string): ProbeOutcome => ({ result: 'success', output });
/** A probe that failed. */
export const failed = (output: string): ProbeOutcome => ({ result: 'failure', output });
