import type { Clock } from '#lib/machinery/clock.ts';

/** The poll intervals in ms: after a change, the most while changes arrive, and the interval after QUIET ms without one. */
const SOON = 50;
const ACTIVE = 200;
const IDLE = 1_000;
const QUIET = 10_000;
const BOOKMARK = 30_000;

/** The work of a heartbeat: to poll the log and to send bookmarks. */
export interface HeartbeatOptions {
  readonly clock: Clock;
  /** Polls the log and returns whether it had changes. Absent if this process makes all changes. Never rejects. */
  readonly poll?: () => Promise<boolean>;
  readonly bookmark: () => void;
}

/** Runs periodic work only while there are watches. */
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

  /** Polls sooner after a write, because more may follow. */
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
