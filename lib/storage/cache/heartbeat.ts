import type { Clock } from '#lib/machinery/clock.ts';

/** Milliseconds between two looks at the log: behind a change, at most while changes come, and when none came for long. */
const SOON = 50;
const ACTIVE = 200;
const IDLE = 1_000;
const QUIET = 10_000;
const BOOKMARK = 30_000;

/** The work of a heartbeat: to poll the log and to send bookmarks. */
export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Looks at the log and answers whether it had changes; absent where this process makes all changes. Never rejects. */
  readonly poll?: () => Promise<boolean>;
  readonly bookmark: () => void;
}

/** Runs periodic work while there are watches, and none while there are not. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #beating: AbortController | undefined;
  #delay = SOON;
  #changedAt = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    this.#beating ??= new AbortController();
    const { signal } = this.#beating;
    this.touch();
    void this.#bookmarks(signal);
    void this.#polls(signal);
  }

  stop(): void {
    this.#beating?.abort();
    this.#beating = undefined;
  }

  /** Something was written: more may follow soon. */
  touch(): void {
    this.#delay = SOON;
    this.#changedAt = this.#options.clock.monotonic();
  }

  async #bookmarks(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#options.clock.sleep(BOOKMARK, signal);
      if (signal.aborted) return;
      this.#options.bookmark();
    }
  }

  async #polls(signal: AbortSignal): Promise<void> {
    const { clock, poll } = this.#options;
    if (poll === undefined) return;
    for (;;) {
      await clock.sleep(this.#delay, signal);
      if (signal.aborted) return;
      if (await poll()) this.touch();
      else this.#delay = clock.monotonic() - this.#changedAt > QUIET ? IDLE : Math.min(this.#delay * 2, ACTIVE);
    }
  }
}
