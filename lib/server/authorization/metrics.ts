import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { Authorizer } from './authorizer.ts';

const PREFIX = 'apiserver_authorization_';

/** Counts decisions and webhook calls, with upstream's metric names. */
export class AuthorizationMetrics implements Collector {
  readonly #clock: Clock;
  readonly #decisions = new Value({
    type: 'counter',
    name: `${PREFIX}decisions_total`,
    help: 'Questions that an authorizer decided.',
    labels: ['type', 'name', 'decision'],
  });
  readonly #evaluations = new Value({
    type: 'counter',
    name: `${PREFIX}webhook_evaluations_total`,
    help: 'Calls to webhooks.',
    labels: ['name', 'result'],
  });
  readonly #seconds = new Histogram({
    name: `${PREFIX}webhook_duration_seconds`,
    help: 'Seconds that webhooks took.',
    labels: ['name', 'result'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  readonly #failedOpen = new Value({
    type: 'counter',
    name: `${PREFIX}webhook_evaluations_fail_open_total`,
    help: 'Questions that others were asked because a webhook failed.',
    labels: ['name', 'result'],
  });
  readonly #excluded = new Value({
    type: 'counter',
    name: `${PREFIX}match_condition_exclusions_total`,
    help: 'Questions that conditions kept from a webhook.',
    labels: ['type', 'name'],
  });
  readonly #faults = new Value({
    type: 'counter',
    name: `${PREFIX}match_condition_evaluation_errors_total`,
    help: 'Questions of which conditions could not be told.',
    labels: ['type', 'name'],
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wraps an authorizer to count its decisions. */
  observed(type: string, name: string, authorize: Authorizer): Authorizer {
    return async (...asked) => {
      const decision = await authorize(...asked);
      if (decision.decision !== 'noOpinion')
        this.#decisions.add(1, [type, name, decision.decision === 'allow' ? 'allowed' : 'denied']);
      return decision;
    };
  }

  /** Measures the duration of a webhook call. */
  async called<T>(name: string, call: () => Promise<T>): Promise<T> {
    const started = this.#clock.monotonic();
    const ended = (result: 'success' | 'error'): void => {
      this.#evaluations.add(1, [name, result]);
      this.#seconds.observe((this.#clock.monotonic() - started) / 1000, [name, result]);
    };
    try {
      const answer = await call();
      ended('success');
      return answer;
    } catch (error) {
      ended('error');
      throw error;
    }
  }

  failedOpen(name: string): void {
    this.#failedOpen.add(1, [name, 'error']);
  }

  /** Counts a request that did not meet the match conditions, or for which they failed. `met` is false or the error. */
  conditions(name: string, met: false | string): void {
    (met === false ? this.#excluded : this.#faults).add(1, ['Webhook', name]);
  }

  collect(): readonly Family[] {
    const all = [this.#decisions, this.#evaluations, this.#seconds, this.#failedOpen, this.#excluded, this.#faults];
    return all.flatMap((metric) => metric.collect());
  }
}
