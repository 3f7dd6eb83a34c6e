import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/metrics/family.ts';
import { Histogram } from '#lib/metrics/histogram.ts';
import type { AdmissionPlugin, Operation, Step } from './admission.ts';
import { PolicyMetrics } from './policy/metrics.ts';
import { WebhookMetrics } from './webhook/metrics.ts';

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const BY = ['type', 'operation', 'rejected'];

type Ended = (rejected: boolean) => void;

/** How long admission takes, and whose part in it what is, under upstream's names. */
export class AdmissionMetrics implements Collector {
  readonly webhooks: WebhookMetrics;
  readonly validatingPolicies: PolicyMetrics;
  readonly mutatingPolicies: PolicyMetrics;
  readonly #clock: Clock;
  readonly #steps = new Histogram({
    name: 'apiserver_admission_step_admission_duration_seconds',
    help: 'Seconds that all plugins together took to change or to judge a request.',
    labels: BY,
    buckets: BUCKETS,
  });
  readonly #plugins = new Histogram({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'Seconds that one plugin took to change or to judge a request.',
    labels: ['name', ...BY],
    buckets: BUCKETS,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
    this.webhooks = new WebhookMetrics(clock);
    this.validatingPolicies = new PolicyMetrics('validating', clock);
    this.mutatingPolicies = new PolicyMetrics('mutating', clock);
  }

  /** Times one step of a request, until what it answers is called. */
  readonly step = this.#timer(this.#steps, []);

  /** The same plugin, timed. What it does at once it still does at once. */
  observed(plugin: AdmissionPlugin): AdmissionPlugin {
    const begin = this.#timer(this.#plugins, [plugin.name]);
    const { admit, validate, reserve } = plugin;
    return {
      ...plugin,
      ...(admit && {
        admit: (attributes, rounds) =>
          timed(begin('admit', attributes.operation), () => admit.call(plugin, attributes, rounds)),
      }),
      ...(validate && {
        validate: (attributes) =>
          timed(begin('validate', attributes.operation), () => validate.call(plugin, attributes)),
      }),
      ...(reserve && {
        reserve: (attributes) => timed(begin('validate', attributes.operation), () => reserve.call(plugin, attributes)),
      }),
    };
  }

  /** Each series is looked up once. */
  #timer(histogram: Histogram, values: readonly string[]): (step: Step, operation: Operation) => Ended {
    const observers = new Map<string, (seconds: number) => void>();
    return (step, operation) => {
      const started = this.#clock.monotonic();
      return (rejected) => {
        const key = `${step}/${operation}/${rejected}`;
        const observe = observers.get(key) ?? histogram.observer([...values, step, operation, String(rejected)]);
        observers.set(key, observe);
        observe((this.#clock.monotonic() - started) / 1000);
      };
    };
  }

  collect(): readonly Family[] {
    const parts = [this.#steps, this.#plugins, this.webhooks, this.validatingPolicies, this.mutatingPolicies];
    return parts.flatMap((part) => part.collect());
  }
}

function timed<T>(ended: Ended, work: () => T): T {
  try {
    const done = work();
    if (!(done instanceof Promise)) {
      ended(false);
      return done;
    }
    done.then(
      () => ended(false),
      () => ended(true),
    );
    return done;
  } catch (error) {
    ended(true);
    throw error;
  }
}
