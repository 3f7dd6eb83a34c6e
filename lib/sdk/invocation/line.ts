import { hasFailed, type Invocation, type InvocationSink } from './invocation.ts';

/** Writes each invocation as a log line, for platforms that store a program's output. */
export const invocationLines = (write: (line: object) => void): InvocationSink => ({
  record: (invocation) => write(lineOf(invocation)),
});

/**
 * Converts an invocation to a log line. `event` is the type of the line, and the other fields are the invocation's. The lines that it
 * logged are written separately.
 */
function lineOf(invocation: Invocation): object {
  const level = hasFailed(invocation) ? 'error' : 'info';
  return { level, event: 'invocation', ...invocation, logs: undefined };
}
