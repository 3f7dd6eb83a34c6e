import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The settings and ports of NodeUpdates. */
export interface NodeUpdatesOptions {
  readonly clock: Clock;
  /** The CSIDriver of a driver, or undefined if it does not exist. */
  csiDriver(name: string): Promise<CSIDriver | undefined>;
  isRegistered(name: string): boolean;
  /** Reads the driver's node info and records it. */
  update(name: string): Promise<void>;
  onFault(error: unknown): void;
}

/** Requests volume limits from drivers periodically, as configured in their CSIDriver (upstream: csiNodeUpdater). */
export class NodeUpdates implements Disposable {
  readonly #options: NodeUpdatesOptions;
  readonly #running = new Map<string, AbortController>();

  constructor(options: NodeUpdatesOptions) {
    this.#options = options;
  }

  /** Restarts the updates of an added driver, and stops those of a removed one. */
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

  /** Ends if the CSIDriver has no period. It is read again when the driver registers again. Never rejects. */
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
