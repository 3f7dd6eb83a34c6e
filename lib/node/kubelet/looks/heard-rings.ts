import type { Clock } from '#lib/machinery/clock.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import { type FollowedType, TYPES } from '#lib/server/channel/followed-types.ts';
import type { FollowedState } from '#lib/server/channel/look.ts';
import { COALESCED, type Ring } from '#lib/server/channel/ring.ts';

/** Milliseconds that a ring may come behind the look that finds its change, or behind its change while the node's interests are new. */
const LATE = 10_000;
/** Milliseconds after a ring in which others may be left out, because all nodes were rung for that type: longer than any node waits to look. */
const QUIET = 3 * COALESCED;

/** Counts the rings that a node hears, and those that it should have heard: changes that only a look found. */
export class HeardRings implements Collector {
  readonly #clock: Clock;
  /** The newest version that a ring told, by type, and the monotonic time of the last ring. */
  readonly #newest = new Map<FollowedType, { readonly version: number; readonly at: number }>();
  /** Monotonic time since which the node is rung for each change; undefined while it is not. */
  #since: number | undefined;
  readonly #heard = new Value({
    name: 'davit_node_agent_rings_total',
    help: 'Rings of the server that this node has heard, by the type of the object that changed.',
    type: 'counter',
    labels: ['resource'],
  });
  readonly #lost = new Value({
    name: 'davit_node_agent_lost_rings_total',
    help: 'Looks that found a change of a type which no ring had told.',
    type: 'counter',
    labels: ['resource'],
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The node is rung for each change from now on, or no longer for each. */
  isRung(isSo: boolean): void {
    this.#since = isSo ? this.#clock.monotonic() + LATE : undefined;
  }

  /** The server rings. */
  hear(ring: Ring): void {
    for (const type of TYPES) {
      const version = ring[type];
      if (version === undefined) continue;
      this.#heard.add(1, [type]);
      const newest = Math.max(Number(version), this.#newest.get(type)?.version ?? 0);
      this.#newest.set(type, { version: newest, at: this.#clock.monotonic() });
    }
  }

  /** A look found a change behind this version, which should have rung. It is lost where no ring has told of one soon after. */
  found(type: FollowedType, behind: number): void {
    if (this.#since === undefined || this.#clock.monotonic() < this.#since) return;
    void this.#await(type, behind);
  }

  /** Finds what changed between two states of objects that the node's pods refer to. One that is gone may only be referred to no more. */
  compare(type: FollowedType, before: FollowedState, { objects: now = {} }: FollowedState): void {
    const changed = Object.entries(before.objects ?? {}).some(
      ([key, version]) => (ownField(now, key) ?? version) !== version,
    );
    if (changed) this.found(type, Number(before.version));
  }

  /** The metrics of rings. */
  collect(): readonly Family[] {
    return [...this.#heard.collect(), ...this.#lost.collect()];
  }

  async #await(type: FollowedType, behind: number): Promise<void> {
    const at = this.#newest.get(type)?.at ?? Number.NEGATIVE_INFINITY;
    if (this.#hasHeard(type, behind) || this.#clock.monotonic() - at < QUIET) return;
    await this.#clock.sleep(LATE);
    if (!this.#hasHeard(type, behind)) this.#lost.add(1, [type]);
  }

  #hasHeard(type: FollowedType, behind: number): boolean {
    return (this.#newest.get(type)?.version ?? 0) > behind;
  }
}
