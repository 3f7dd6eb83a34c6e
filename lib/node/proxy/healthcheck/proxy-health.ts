import type { Clock } from '#lib/machinery/clock.ts';
import type { IPFamily } from '../types.ts';

/** Milliseconds that a change may wait for its rules: kube-proxy's health timeout is twice its sync period. */
const TIMEOUT = 60_000;

interface FamilyHealth {
  /** Wall time of the last rules that are those that were wanted. */
  readonly updated: number;
  /** When the oldest change came that waits; undefined: none waits. */
  readonly oldest?: number;
}

/** Whether the proxy keeps up: unhealthy where a change has waited for too long (upstream: ProxyHealthServer). */
export class ProxyHealth {
  readonly #clock: Clock;
  readonly #families = new Map<IPFamily, FamilyHealth>();

  /** A proxy that starts is healthy: the rules of the one before are in the kernel. */
  constructor(clock: Clock, families: readonly IPFamily[]) {
    this.#clock = clock;
    for (const family of families) this.updated(family);
  }

  /** A change waits for its rules. */
  queued(family: IPFamily): void {
    const { updated, oldest = this.#clock.monotonic() } = this.#families.get(family) ?? { updated: this.#clock.now() };
    this.#families.set(family, { updated, oldest });
  }

  /** The rules of the family are those that are wanted. */
  updated(family: IPFamily): void {
    this.#families.set(family, { updated: this.#clock.now() });
  }

  /** Whether every family keeps up. */
  get isHealthy(): boolean {
    return [...this.#families.values()].every((family) => this.#keepsUp(family));
  }

  /** The body of upstream's answer. `eligible`: whether the node may get packets from outside; absent for `/livez`, which says nothing of it. */
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
