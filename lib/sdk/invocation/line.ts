import { hasFailed, type Invocation, type InvocationSink } from './invocation.ts';

/** Writes each invocation as a line: for platforms that keep what a program prints. */
export const invocationLines = (write: (line: object) => void): InvocationSink => ({
  record: (invocation) => write(lineOf(invocation)),
});

/** `event` says what the line is; the rest are the invocation's own fields. What it logged are lines of their own. */
function lineOf(invocation: Invocation): object {
  const level = hasFailed(invocation) ? 'error' : 'info';
  return { level, event: 'invocation', ...invocation, logs: undefined };
}
