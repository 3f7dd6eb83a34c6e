import { hasFailed, type Invocation, type InvocationSink } from './invocation.ts';

/** Writes each invocation as a log line, for platforms that keep a program's output. */
export const invocationLines = (write: (line: object) => void): InvocationSink => ({
  record: (invocation) => write(lineOf(invocation)),
});

/** `event` is the type of the line. The rest are the invocation's own fields. Lines that it logged are written separately. */
function lineOf(invocation: Invocation): object {
  const level = hasFailed(invocation) ? 'error' : 'info';
  return { level, event: 'invocation', ...invocation, logs: undefined };
}
