import type { Clock } from '#lib/machinery/clock.ts';

/** Milliseconds that a driver may be away before its slices go. */
const WIPING_DELAY = 30_000;
const FIRST_RETRY = 1000;
const LONGEST_RETRY = 300_000;

/** The surroundings of the removal of slices. */
export interface SliceWiperConfig {
  readonly clock: Clock;
  /** Deletes the ResourceSlices of this node: those of a driver, or all. Does nothing where there is none. */
  deleteResourceSlices(driverName: string | undefined): Promise<void>;
  /** Whether the driver has a plugin. */
  isUsable(driverName: string): boolean;
  /** Slices could not be deleted: that is tried again. */
  onFault(error: unknown): void;
}

/** Deletes ResourceSlices whose driver is gone: pods would wait for it forever (upstream: DRAPluginManager). */
export class SliceWiper {
  readonly #config: SliceWiperConfig;
  readonly #pending = new Map<string, AbortController>();

  constructor(config: SliceWiperConfig) {
    this.#config = config;
  }

  /** Deletes the slices of all drivers: none is registered when the agent starts. */
  start(signal: AbortSignal): Promise<void> {
    return this.#wipe(undefined, signal);
  }

  /** A plugin of the driver came or went. Resolves once the slices are deleted, or are kept. */
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
    for (let delay = FIRST_RETRY; !signal.aborted; delay = Math.min(delay * 2, LONGEST_RETRY)) {
      try {
        await this.#config.deleteResourceSlices(driverName);
        return;
      } catch (error) {
        this.#config.onFault(error);
        await this.#config.clock.sleep(delay, signal);
      }
    }
  }
}
