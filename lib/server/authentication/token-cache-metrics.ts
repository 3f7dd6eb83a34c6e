import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

const named = (name: string): string => `authentication_token_cache_${name}`;
const labels = ['status'];

/** Counts the results of cached token authentication, with upstream's metric names. */
export class TokenCacheMetrics implements Collector {
  readonly #clock: Clock;
  readonly #requests = new Value({
    type: 'counter',
    name: named('request_total'),
    help: 'Tokens asked about.',
    labels,
  });
  readonly #fetches = new Value({ type: 'counter', name: named('fetch_total'), help: 'Answers fetched.', labels });
  readonly #active = new Value({ type: 'gauge', name: named('active_fetch_count'), help: 'Under way.', labels });
  readonly #durations = new Histogram({
    name: named('request_duration_seconds'),
    help: 'Seconds until an answer was there.',
    labels,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  hit(): void {
    this.#asked('hit', 0);
  }

  /** Counts a request as blocked until its result is available, whether or not it started the call. */
  async missed(answer: Promise<unknown>): Promise<void> {
    const began = this.#clock.monotonic();
    await this.#during('blocked', answer);
    this.#asked('miss', this.#clock.monotonic() - began);
  }

  /** Counts a call as in flight until it succeeds or fails. */
  async fetched(answer: Promise<unknown>): Promise<void> {
    this.#fetches.add(1, [(await this.#during('in_flight', answer)) ? 'ok' : 'error']);
  }

  /** Resolves to whether the call succeeded. */
  async #during(status: string, answer: Promise<unknown>): Promise<boolean> {
    this.#active.add(1, [status]);
    const went = await answer.then(
      () => true,
      () => false,
    );
    this.#active.add(-1, [status]);
    return went;
  }

  #asked(status: string, milliseconds: number): void {
    this.#requests.add(1, [status]);
    this.#durations.observe(milliseconds / 1000, [status]);
  }

  collect(): readonly Family[] {
    return [this.#requests, this.#fetches, this.#active, this.#durations].flatMap((metric) => metric.collect());
  }
}
