import type { Clock } from '#lib/machinery/clock.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Version } from '#lib/storage/sequence.ts';
import type { Lag } from './options.ts';

/** Minimum interval in ms between reads of the watermark. */
const READ_EVERY = 1_000;

/** Limits how far the log runs ahead of its state. A writer that finds a large lag runs a checkpoint, or is refused. */
export class Throttle {
  readonly #clock: Clock;
  readonly #lag: Lag;
  readonly #of: { watermark(): Promise<Version>; checkpoint(): Promise<Version> };
  #watermark: Version | undefined;
  #readAt: number | undefined;

  constructor(clock: Clock, lag: Lag, of: { watermark(): Promise<Version>; checkpoint(): Promise<Version> }) {
    this.#clock = clock;
    this.#lag = lag;
    this.#of = of;
  }

  saw(watermark: Version): Version {
    this.#watermark = Math.max(watermark, this.#watermark ?? 0);
    return watermark;
  }

  /** Resolves once a write after `end` may proceed. Throws Overloaded if the checkpoint lags too far behind. */
  async admit(end: Version): Promise<void> {
    if (this.#behind(end) <= this.#lag.checkpoint) return;
    const due = this.#due();
    if (due) this.saw(await this.#of.watermark());
    if (this.#behind(end) > this.#lag.refuse) {
      throw new StoreError('Overloaded', 'the log is too far ahead of its checkpoint', { head: end });
    }
    if (due && this.#behind(end) > this.#lag.checkpoint) await this.#of.checkpoint();
  }

  #behind(end: Version): number {
    return end - (this.#watermark ?? 0);
  }

  #due(): boolean {
    const now = this.#clock.monotonic();
    if (this.#readAt !== undefined && now - this.#readAt < READ_EVERY) return false;
    this.#readAt = now;
    return true;
  }
}
