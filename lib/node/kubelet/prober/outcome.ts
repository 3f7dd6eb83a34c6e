/** The outcome of one probe (upstream: probe.Result with its output). The event contains `output`. */
export interface ProbeOutcome {
  readonly result: 'success' | 'warning' | 'failure';
  readonly output: string;
}

/** Maximum number of bytes that a probe reads from a command or server. */
export const MAX_OUTPUT = 10 * 1024;

/** A successful probe. */
export const succeeded = (output: string): ProbeOutcome => ({ result: 'success', output });
/** A failed probe. */
export const failed = (output: string): ProbeOutcome => ({ result: 'failure', output });
