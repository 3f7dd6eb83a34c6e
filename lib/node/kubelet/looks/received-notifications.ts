import type { Clock } from '#lib/machinery/clock.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import { type FollowedType, TYPES } from '#lib/server/channel/followed-types.ts';
import type { FollowedState } from '#lib/server/channel/look.ts';
import { COALESCED, type Notification } from '#lib/server/channel/notification.ts';

/**
 * Maximum delay in ms of a notification after the poll that found its change. After the server starts to notify the node, missing
 * notifications only count as lost after the same delay.
 */
const LATE = 10_000;
/**
 * Time in ms after a notification in which others may be left out, because all nodes were notified of that type. It exceeds the longest
 * delay before a node polls.
 */
const QUIET = 3 * COALESCED;

/** Counts the notifications that a node receives, and those that it missed: changes that only a poll found. */
export class ReceivedNotifications implements Collector {
  readonly #clock: Clock;
  /** The newest version in a notification, by type, with the monotonic time of the last notification. */
  readonly #newest = new Map<FollowedType, { readonly version: number; readonly at: number }>();
  /** Monotonic time since which the server notifies the node of each change, or undefined while it does not. */
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

  /** Called when the server starts to notify the node of each change, or stops. */
  isRung(isSo: boolean): void {
    this.#since = isSo ? this.#clock.monotonic() + LATE : undefined;
  }

  /** Called with each notification from the server. */
  hear(ring: Notification): void {
    for (const type of TYPES) {
      const version = ring[type];
      if (version === undefined) continue;
      this.#heard.add(1, [type]);
      const newest = Math.max(Number(version), this.#newest.get(type)?.version ?? 0);
      this.#newest.set(type, { version: newest, at: this.#clock.monotonic() });
    }
  }

  /**
   * Called when a poll found a change after this version that should have caused a notification. The notification counts as lost if it does
   * not arrive soon.
   */
  found(type: FollowedType, behind: number): void {
    if (this.#since === undefined || this.#clock.monotonic() < this.#since) return;
    void this.#await(type, behind);
  }

  /** Finds changes between two states of the objects that the node's pods refer to. A missing object may only have lost its references. */
  compare(type: FollowedType, before: FollowedState, { objects: now = {} }: FollowedState): void {
    const changed = Object.entries(before.objects ?? {}).some(
      ([key, version]) => (ownField(now, key) ?? version) !== version,
    );
    if (changed) this.found(type, Number(before.version));
  }

  /** The metrics of notifications. */
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
