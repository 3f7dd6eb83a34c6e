import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';

const NAME = 'aggregator_unavailable_apiservice';
const HELP = 'APIServices that are not available (1) or are (0), by name.';

/** Upstream's availability metrics of all APIServices. */
export class AvailabilityMetrics implements Collector {
  readonly #isAvailable = new Map<string, boolean>();
  readonly #total = new Value({
    name: `${NAME}_total`,
    help: 'How often APIServices became unavailable, by name and reason.',
    type: 'counter',
    labels: ['name', 'reason'],
  });

  /** Records the condition of a checked APIService. `was` is its previous status. Undefined if it had none. */
  checked(
    name: string,
    was: string | undefined,
    { status, reason = 'UnknownReason' }: { readonly status: string; readonly reason?: string },
  ): void {
    const isAvailable = status === 'True';
    this.#isAvailable.set(name, isAvailable);
    if (was === 'True' && !isAvailable) this.#total.add(1, [name, reason]);
  }

  /** Removes the metrics of a deleted APIService. */
  forget(name: string): void {
    this.#isAvailable.delete(name);
  }

  collect(): readonly Family[] {
    const samples = [...this.#isAvailable].map(([name, isAvailable]) => ({
      labels: { name },
      value: isAvailable ? 0 : 1,
    }));
    return [{ name: NAME, help: HELP, type: 'gauge', samples }, ...this.#total.collect()];
  }
}
