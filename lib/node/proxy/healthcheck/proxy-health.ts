import type { Clock } from '#lib/machinery/clock.ts';
import type { IPFamily } from '../types.ts';

/** The time in ms that a change may wait for its rules. kube-proxy's health timeout is twice its sync period. */
const TIMEOUT = 60_000;

interface FamilyHealth {
  /** The wall time at which the kernel last had the wanted rules. */
  readonly updated: number;
  /** When the oldest pending change arrived. Undefined if no change is pending. */
  readonly oldest?: number;
}

/**
 * Tracks whether the proxy keeps up with changes. It is unhealthy if a change has been pending for too long (upstream: ProxyHealthServer).
 */
export class ProxyHealth {
  readonly #clock: Clock;
  readonly #families = new Map<IPFamily, FamilyHealth>();

  /** A new proxy is healthy, because the kernel still has the rules of the previous process. */
  constructor(clock: Clock, families: readonly IPFamily[]) {
    this.#clock = clock;
    for (const family of families) this.updated(family);
  }

  /** Records that a change is pending. */
  queued(family: IPFamily): void {
    const { updated, oldest = this.#clock.monotonic() } = this.#families.get(family) ?? { updated: this.#clock.now() };
    this.#families.set(family, { updated, oldest });
  }

  /** Records that the kernel has the wanted rules of the family. */
  updated(family: IPFamily): void {
    this.#families.set(family, { updated: this.#clock.now() });
  }

  /** Whether every family keeps up. */
  get isHealthy(): boolean {
    return [...this.#families.values()].every((family) => this.#keepsUp(family));
  }

  /**
   * The response body, the same as upstream's. `eligible` is whether the node may receive external traffic. It is absent for `/livez`,
   * which does not report it.
   */
  answer(eligible?: boolean): string {
    const isHealthy = this.isHealthy && (eligible ?? true);
    const now = this.#clock.now();
    const last = Math.max(...[...this.#families.values()].map(({ updated }) => updated));
    return JSON.stringify({
      lastUpdated: timeOf(isHealthy ? now : last),
      currentTime: timeOf(now),
      ...(eligible !== undefined && { nodeEligible: eligible }),
      healthy: this.isHealthy,
      status: Object.fromEntries(
        [...this.#families].map(([family, health]) => [
          family,
          { lastUpdated: timeOf(health.updated), healthy: this.#keepsUp(health) },
        ]),
      ),
    });
  }

  #keepsUp({ oldest }: FamilyHealth): boolean {
    return oldest === undefined || this.#clock.monotonic() - oldest < TIMEOUT;
  }
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
