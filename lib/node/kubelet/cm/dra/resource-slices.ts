import type { Clock } from '#lib/machinery/clock.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';

/** Time in ms that a driver may be unregistered before its slices are deleted. */
const WIPING_DELAY = 30_000;
const RETRY = { duration: 1000, factor: 2, cap: 300_000 };

/** The settings and ports of the SliceWiper. */
export interface SliceWiperConfig {
  readonly clock: Clock;
  /** Deletes the ResourceSlices of this node, either those of a driver or all. Does nothing if there are none. */
  deleteResourceSlices(driverName: string | undefined): Promise<void>;
  /** Whether the driver has a registered plugin. */
  isUsable(driverName: string): boolean;
  /** Called when slices cannot be deleted. The deletion is retried. */
  onFault(error: unknown): void;
}

/** Deletes ResourceSlices of unregistered drivers, because pods would wait for such a driver forever (upstream: DRAPluginManager). */
export class SliceWiper {
  readonly #config: SliceWiperConfig;
  readonly #pending = new Map<string, AbortController>();

  constructor(config: SliceWiperConfig) {
    this.#config = config;
  }

  /** Deletes the slices of all drivers, because none is registered when the agent starts. */
  start(signal: AbortSignal): Promise<void> {
    return this.#wipe(undefined, signal);
  }

  /** Called when a plugin of the driver was added or removed. Resolves when the slices are deleted or need not be. */
  async changed(driverName: string, signal: AbortSignal): Promise<void> {
    if (this.#config.isUsable(driverName)) {
      this.#pending.get(driverName)?.abort();
      this.#pending.delete(driverName);
      return;
    }
    if (this.#pending.has(driverName)) return;
    const cancel = new AbortController();
    this.#pending.set(driverName, cancel);
    const either = AbortSignal.any([signal, cancel.signal]);
    await this.#config.clock.sleep(WIPING_DELAY, either);
    await this.#wipe(driverName, either);
    if (this.#pending.get(driverName) === cancel) this.#pending.delete(driverName);
  }

  async #wipe(driverName: string | undefined, signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#config.deleteResourceSlices(driverName);
        return;
      } catch (error) {
        this.#config.onFault(error);
        await this.#config.clock.sleep(delayAfter(failures, RETRY), signal);
      }
    }
  }
}
