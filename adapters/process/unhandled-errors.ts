import type { Collector } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

const OUTPUTS = ['stdout', 'stderr'] as const;
const ERRORS = ['uncaughtException', 'unhandledRejection'] as const;
type Origin = (typeof ERRORS)[number];

const total = new Value({
  type: 'counter',
  name: 'davit_unhandled_errors_total',
  help: 'Errors that nothing in the process handled, by where they came from. The process goes on.',
  labels: ['origin'],
});
for (const origin of [...OUTPUTS, ...ERRORS]) total.add(0, [origin]);

/** Counts the errors that would have ended this process without `outliveOutputs` and `outliveErrors`. */
export const unhandledErrors: Collector = total;

let outlivesOutputs = false;
let outlivesErrors = false;

/** From now on, a line that cannot be written to an output (closed pipe, full disk) is dropped and counted. Intended for servers. */
export function outliveOutputs(): void {
  if (outlivesOutputs) return;
  outlivesOutputs = true;
  for (const name of OUTPUTS) process[name].on('error', () => total.add(1, [name]));
}

/**
 * From now on, an unhandled exception or rejection is reported and counted. Programs call this once they have started, so an earlier error
 * ends the process. It replaces other listeners, such as those of Lambda's runtime, which end the process.
 */
export function outliveErrors(report: (error: Error, origin: Origin) => void): void {
  outliveOutputs(); // a failure to write a report is not reported
  if (outlivesErrors) return;
  outlivesErrors = true;
  for (const origin of ERRORS) {
    process.removeAllListeners(origin);
    process.on(origin, (thrown: unknown) => {
      total.add(1, [origin]);
      report(asError(thrown), origin);
    });
  }
}

/** Converts a thrown value to an error. Among values that are not errors, only strings are reported, because others may contain secrets. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : `${Object.prototype.toString.call(thrown)} was thrown`);
}
