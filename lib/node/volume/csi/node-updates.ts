import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The surroundings of the updates. */
export interface NodeUpdatesOptions {
  readonly clock: Clock;
  /** The CSIDriver of a driver; undefined where there is none. */
  csiDriver(name: string): Promise<CSIDriver | undefined>;
  isRegistered(name: string): boolean;
  /** Asks the driver about its node and records the answer. */
  update(name: string): Promise<void>;
  onFault(error: unknown): void;
}

/** Asks drivers again how many volumes they take, as often as their CSIDriver says (upstream: csiNodeUpdater). */
export class NodeUpdates implements Disposable {
  readonly #options: NodeUpdatesOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: NodeUpdatesOptions) {
    this.#options = options;
  }

  /** Starts over with a driver that came, and ends with one that went. */
  changed(driver: string): void {
    this.#running.get(driver)?.abort();
    this.#running.delete(driver);
    if (!this.#options.isRegistered(driver)) return;
    const stop = new AbortController();
    this.#running.set(driver, stop);
    void this.#run(driver, stop.signal);
  }

  [Symbol.dispose](): void {
    for (const stop of this.#running.values()) stop.abort();
  }

  /** Ends where the CSIDriver has no period: it is read again when the driver registers again. Never rejects. */
  async #run(driver: string, signal: AbortSignal): Promise<void> {
    const { clock, csiDriver, update, onFault } = this.#options;
    try {
      for (;;) {
        const seconds = Number((await csiDriver(driver))?.spec.nodeAllocatableUpdatePeriodSeconds ?? 0);
        if (seconds <= 0 || signal.aborted) return;
        await clock.sleep(seconds * 1000, signal);
        if (signal.aborted) return;
        await update(driver).catch(onFault);
      }
    } catch (error) {
      onFault(error);
    }
  }
}
