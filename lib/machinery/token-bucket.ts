import type { Clock } from './clock.ts';

/** The rate and size of a bucket. */
export interface TokenBucketOptions {
  /** The number of tokens added each second. */
  readonly qps: number;
  /** The maximum number of tokens. */
  readonly burst: number;
  readonly clock: Clock;
}

/** Upstream's flowcontrol.RateLimiter. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #at: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = options.burst;
    this.#at = options.clock.monotonic();
  }

  /** Takes a token, or waits for one. Callers get their tokens in order. */
  async take(): Promise<void> {
    this.#fill();
    this.#tokens--;
    const { qps, clock } = this.#options;
    if (this.#tokens < 0) await clock.sleep((-this.#tokens / qps) * 1000);
  }

  /** Takes a token if one is available. */
  allow(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #fill(): void {
    const { qps, burst, clock } = this.#options;
    const now = clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) / 1000) * qps);
    this.#at = now;
  }
}
