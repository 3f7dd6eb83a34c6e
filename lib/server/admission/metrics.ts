import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { PodSecurityMetrics } from '#lib/server/policy/pod-security/metrics.ts';
import type { Attributes, Operation } from '#lib/server/registry/admission.ts';
import { type AdmissionPlugin, looksAt, type Step } from './admission.ts';
import { PolicyMetrics } from './policy/metrics.ts';
import { WebhookMetrics } from './webhook/metrics.ts';

const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const BY = ['type', 'operation', 'rejected'];

type Observe = (operation: Operation, rejected: boolean, milliseconds: number) => void;

/** Measures admission by step and by plugin, under upstream's names. */
export class AdmissionMetrics implements Collector {
  readonly webhooks: WebhookMetrics;
  readonly validatingPolicies: PolicyMetrics;
  readonly mutatingPolicies: PolicyMetrics;
  readonly podSecurity = new PodSecurityMetrics();
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

  readonly #admitting = observer(this.#steps, ['admit']);
  readonly #validating = observer(this.#steps, ['validate']);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.webhooks = new WebhookMetrics(clock);
    this.validatingPolicies = new PolicyMetrics('validating', clock);
    this.mutatingPolicies = new PolicyMetrics('mutating', clock);
  }

  /** Measures one step of a request until the returned function is called. */
  readonly step = (step: Step, operation: Operation): ((rejected: boolean) => void) => {
    const observe = step === 'admit' ? this.#admitting : this.#validating;
    const started = this.#clock.monotonic();
    return (rejected) => observe(operation, rejected, this.#clock.monotonic() - started);
  };

  /**
   * Returns the same plugin with measurements. Synchronous plugins stay synchronous. For a resource that the plugin does not handle, a
   * duration of 0 is recorded.
   */
  observed({ about, ...plugin }: AdmissionPlugin): AdmissionPlugin {
    const { name, admit, validate, reserve } = plugin;
    const admitting = observer(this.#plugins, [name, 'admit']);
    const validating = observer(this.#plugins, [name, 'validate']);
    return {
      ...plugin,
      ...(admit && { admit: this.#timed(admitting, admit.bind(plugin), about) }),
      ...(validate && { validate: this.#timed(validating, validate.bind(plugin), about) }),
      ...(reserve && { reserve: this.#timed(validating, reserve.bind(plugin), about) }),
    };
  }

  #timed<Rest extends unknown[], T>(
    observe: Observe,
    work: (attributes: Attributes, ...rest: Rest) => T,
    about: AdmissionPlugin['about'],
  ): (attributes: Attributes, ...rest: Rest) => T | undefined {
    const clock = this.#clock;
    return (attributes, ...rest) => {
      const { operation, resource } = attributes;
      if (!looksAt(about, resource)) return void observe(operation, false, 0);
      const started = clock.monotonic();
      const ended = (rejected: boolean): void => observe(operation, rejected, clock.monotonic() - started);
      try {
        const done = work(attributes, ...rest);
        if (done instanceof Promise) {
          done.then(
            () => ended(false),
            () => ended(true),
          );
        } else ended(false);
        return done;
      } catch (error) {
        ended(true);
        throw error;
      }
    };
  }

  collect(): readonly Family[] {
    const parts = [
      this.#steps,
      this.#plugins,
      this.webhooks,
      this.validatingPolicies,
      this.mutatingPolicies,
      this.podSecurity,
    ];
    return parts.flatMap((part) => part.collect());
  }
}

/** Returns an observer of durations in ms. Looks up each series only once. */
function observer(histogram: Histogram, values: readonly string[]): Observe {
  const passed = new Map<Operation, (seconds: number) => void>();
  const refused = new Map<Operation, (seconds: number) => void>();
  return (operation, rejected, milliseconds) => {
    const known = rejected ? refused : passed;
    let observe = known.get(operation);
    if (observe === undefined) {
      observe = histogram.observer([...values, operation, String(rejected)]);
      known.set(operation, observe);
    }
    observe(milliseconds / 1000);
  };
}
