import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { NodeChannels } from '#lib/server/channel/node-channels.ts';
import { mayConcernNodes } from '#lib/stream/notification-batch.ts';
import { Notifications } from '#lib/stream/notifications.ts';

/** Notifies the nodes that have a channel to this process about changes in the change feed. If no node has one, a change costs nothing. */
export class LocalNotifications implements Collector {
  readonly #channels: NodeChannels;
  readonly #rings: Notifications;
  readonly #count = new Value({
    name: 'davit_node_rings_total',
    help: 'Nodes that were told by their channels that something which concerns them has changed.',
    type: 'counter',
    labels: ['result'],
  });
  #isDue = false;

  constructor(channels: NodeChannels, clock: Clock) {
    this.#channels = channels;
    const connected = () => Array.from(channels.rung(), (node) => ({ ...node, connections: [] }));
    this.#rings = new Notifications({
      clock,
      nodes: { interested: async () => connected() },
      sender: { ring: async ({ to: { node }, ring }) => channels.ring(node, ring) },
    });
  }

  /**
   * Called with each committed change. Changes in the same event-loop turn cause one notification. Throws TypeError if a body is not an
   * object.
   */
  tell(change: ObjectChange): void {
    if (!mayConcernNodes(change) || this.#channels.rung().next().done === true) return;
    this.#rings.take(change);
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => void this.#send());
  }

  /** The metric of notifications. */
  collect(): ReturnType<Value['collect']> {
    return this.#count.collect();
  }

  async #send(): Promise<void> {
    this.#isDue = false;
    const { rung, faults } = await this.#rings.send();
    if (rung > 0) this.#count.add(rung, ['rung']);
    if (faults > 0) this.#count.add(faults, ['failed']);
  }
}
