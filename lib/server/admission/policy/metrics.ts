import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

type Error = 'no_error' | 'compile_error' | 'out_of_budget' | 'invalid_error';

/** The action label of validating policies. Upstream does not count a validation that passes. */
type Action = 'allow' | 'deny' | 'audit' | 'warn';

/** Counts and times evaluations of policies, under upstream's names. */
export class PolicyMetrics implements Collector {
  readonly #clock: Clock;
  readonly #judges: boolean;
  readonly #checks: Value;
  readonly #durations: Histogram;

  constructor(kind: 'validating' | 'mutating', clock: Clock) {
    this.#clock = clock;
    this.#judges = kind === 'validating';
    const prefix = `apiserver_${kind}_admission_policy_check`;
    const labels = ['policy', 'policy_binding', 'error_type', ...(this.#judges ? ['enforcement_action'] : [])];
    this.#checks = new Value({ type: 'counter', name: `${prefix}_total`, help: 'What policies found.', labels });
    this.#durations = new Histogram({
      name: `${prefix}_duration_seconds`,
      help: 'Seconds that policies took to find it.',
      labels,
      buckets: [5e-7, 0.001, 0.01, 0.1, 1],
    });
  }

  /** Starts measuring a policy with one binding. Call the returned function with its message. '' means no error. */
  began(policy: string, binding: string): (message: string, action: Action) => void {
    const started = this.#clock.monotonic();
    return (message, action) => {
      const values = [policy, binding, errorType(message), ...(this.#judges ? [action] : [])];
      this.#checks.add(1, values);
      this.#durations.observe((this.#clock.monotonic() - started) / 1000, values);
    };
  }

  collect(): readonly Family[] {
    return [...this.#checks.collect(), ...this.#durations.collect()];
  }
}

/** Returns upstream's ErrorType, which it derives from the beginning of the message. */
function errorType(message: string): Error {
  if (message === '') return 'no_error';
  if (message.startsWith('compilation')) return 'compile_error';
  if (message.startsWith('validation failed due to running out of cost budget')) return 'out_of_budget';
  return 'invalid_error';
}
