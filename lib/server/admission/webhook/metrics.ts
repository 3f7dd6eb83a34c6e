import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { Operation } from '#lib/server/registry/admission.ts';

/** Upstream's labels of mutating and validating webhooks. */
export type WebhookType = 'admit' | 'validating';

/** A call of a webhook, as metrics label it. */
export interface Call {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: Operation;
}

/** Why a request was rejected: the webhook failed, this server failed, or the webhook denied it. */
export type Rejection = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

/** Higher codes are recorded as this one, so that a webhook cannot create unlimited series. */
const MAX_CODE = 600;

/** Counts and measures calls of admission webhooks, under upstream's names. */
export class WebhookMetrics implements Collector {
  readonly #clock: Clock;
  readonly #durations = new Histogram({
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    help: 'Seconds that one webhook took.',
    labels: ['name', 'type', 'operation', 'rejected'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
  });
  readonly #requests = new Value({
    type: 'counter',
    name: 'apiserver_admission_webhook_request_total',
    help: 'Calls to webhooks, by the code that the request ended with.',
    labels: ['name', 'type', 'operation', 'code', 'rejected'],
  });
  readonly #rejections = new Value({
    type: 'counter',
    name: 'apiserver_admission_webhook_rejection_count',
    help: 'Requests that did not pass a webhook, and why.',
    labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
  });
  readonly #failedOpen = new Value({
    type: 'counter',
    name: 'apiserver_admission_webhook_fail_open_count',
    help: 'Requests that passed although the webhook failed.',
    labels: ['name', 'type'],
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Measures a call until the returned function is called. */
  began({ name, type, operation }: Call) {
    const started = this.#clock.monotonic();
    const ended = (code: number, rejected: boolean): void => {
      const told = String(Math.min(code, MAX_CODE));
      this.#requests.add(1, [name, type, operation, told, String(rejected)]);
      const seconds = (this.#clock.monotonic() - started) / 1000;
      this.#durations.observe(seconds, [name, type, operation, String(rejected)]);
    };
    return {
      milliseconds: (): number => this.#clock.monotonic() - started,
      passed: (): void => ended(200, false),
      failedOpen: (code: number): void => {
        ended(code, false);
        this.#failedOpen.add(1, [name, type]);
      },
      rejected: (why: Rejection, code: number): void => {
        ended(code, true);
        this.#rejections.add(1, [name, type, operation, why, String(Math.min(code, MAX_CODE))]);
      },
    };
  }

  collect(): readonly Family[] {
    const all = [this.#durations, this.#requests, this.#rejections, this.#failedOpen];
    return all.flatMap((metric) => metric.collect());
  }
}
