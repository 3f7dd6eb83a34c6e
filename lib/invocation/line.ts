import { hasFailed, type Invocation, type InvocationSink } from './invocation.ts';

/** Writes each invocation as one line of JSON: for platforms that keep what a program prints. */
export const invocationLines = (write: (line: string) => void): InvocationSink => ({
  record: (invocation) => write(lineOf(invocation)),
});

/** `event` says what the line is; the rest are the invocation's own fields. What it logged are lines of their own. */
function lineOf(invocation: Invocation): string {
  const level = hasFailed(invocation) ? 'error' : 'info';
  return `${JSON.stringify({ level, event: 'invocation', ...invocation, logs: undefined })}\n`;
}
