import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** The back-off in ms between polls after a change. After QUIET ms without a change, the interval is IDLE. */
const ACTIVE = { duration: 50, factor: 2, cap: 200 };
const IDLE = 1_000;
const QUIET = 10_000;
const BOOKMARK = 30_000;

/** The periodic work of a heartbeat: polling the log and sending bookmarks. */
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
  /** The number of polls without a change since the last change. */
  #idlePolls = 0;
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

  /** Polls sooner, because more changes may follow a write. */
  touch(): void {
    this.#idlePolls = 0;
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
      await clock.sleep(this.#interval(), signal);
      if (signal.aborted) return;
      if (await poll()) this.touch();
      else this.#idlePolls++;
    }
  }

  #interval(): number {
    const isQuiet = this.#idlePolls > 0 && this.#options.clock.monotonic() - this.#changedAt > QUIET;
    return isQuiet ? IDLE : delayAfter(this.#idlePolls + 1, ACTIVE);
  }
}
