import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { deadline } from '#lib/machinery/wait/deadline.ts';
import { unlessAborted } from '#lib/machinery/wait/unless-aborted.ts';
import type { Interests } from '#lib/server/channel/interests.ts';
import { COALESCED, type Notification } from '#lib/server/channel/notification.ts';
import { NotificationBatch } from './notification-batch.ts';

/** A node with an open channel whose agent accepts rings: it has polled, and its interests are stored. */
export interface ConnectedNode {
  readonly node: string;
  /** The names of its connections for the sender, the newest first. */
  readonly connections: readonly string[];
  readonly interests: Interests;
}

/** The nodes that changes may concern. */
export interface Asked {
  /** Nodes to notify if they are connected. */
  readonly nodes: readonly string[];
  /** Whether any connected node may be notified, because its interests decide or the change concerns every node. */
  readonly all: boolean;
}

/** The stored channels of nodes. */
export interface ConnectedNodes {
  /**
   * The requested nodes that are connected. May return others too if that is cheaper. Uses one eventually consistent query. Throws
   * StoreError.
   */
  interested(asked: Asked, signal: AbortSignal): Promise<readonly ConnectedNode[]>;
}

/** One notification for one node. */
export interface NodeNotification {
  readonly to: ConnectedNode;
  readonly ring: Notification;
}

/** Sends rings to nodes. */
export interface NotificationSender {
  /** Sends a ring to one node through its connections. Rejects if no connection accepts it, or if the signal aborts. */
  ring(one: NodeNotification, signal: AbortSignal): Promise<void>;
  /** Hands many rings to another function without waiting for it. If absent, they are sent one by one. */
  handOver?(rings: readonly NodeNotification[], signal: AbortSignal): Promise<void>;
}

/** The ports for sending rings. */
export interface NotificationsPorts {
  readonly nodes: ConnectedNodes;
  readonly sender: NotificationSender;
  readonly clock: Clock;
}

/** The counts of one round of rings. */
export interface NotifiedNodes {
  /** The number of nodes notified or handed over. */
  readonly rung: number;
  /** The number of nodes that could not be notified in time. */
  readonly faults: number;
  /** The error of the first such node. */
  readonly fault?: unknown;
}

/** The time limit in ms of a round. A late ring has little value, because each node also polls. */
const TIMEOUT = 2_000;
/** The maximum number of nodes notified directly. More are handed over. */
const MOST_HERE = 50;

const NOBODY: NotifiedNodes = { rung: 0, faults: 0 };

/**
 * Notifies nodes of committed changes, so that they need no watch. It has no cursor and does not retry. The node's next poll makes up for a
 * lost ring.
 */
export class Notifications {
  readonly #ports: NotificationsPorts;
  #batch = new NotificationBatch();
  /** The monotonic time of the last ring to every node that follows a type. */
  readonly #rungAll = new Map<string, number>();

  constructor(ports: NotificationsPorts) {
    this.#ports = ports;
  }

  /** Adds a committed change of any resource to the next round. Throws TypeError if its body is not an object. */
  take(change: ObjectChange): void {
    this.#batch.add(change);
  }

  /** Notifies the nodes concerned by the changes since the last round, within two seconds. Does not reject. */
  async send(): Promise<NotifiedNodes> {
    const batch = this.#batch;
    this.#batch = new NotificationBatch();
    this.#coalesce(batch);
    if (batch.isEmpty) return NOBODY;
    using late = deadline(TIMEOUT, { clock: this.#ports.clock, error: () => new Error('out of time') });
    return await this.#send(batch, late.signal);
  }

  /** Leaves out types for which all nodes concerned were notified less than a second ago. */
  #coalesce({ everyNode, networks }: NotificationBatch): void {
    const now = this.#ports.clock.monotonic();
    const isTold = (type: string): boolean => {
      const last = this.#rungAll.get(type);
      if (last !== undefined && now - last < COALESCED) return true;
      this.#rungAll.set(type, now);
      return false;
    };
    for (const type of everyNode.keys()) if (isTold(type)) everyNode.delete(type);
    for (const type of networks.keys()) if (isTold(type)) networks.delete(type);
  }

  async #send(batch: NotificationBatch, signal: AbortSignal): Promise<NotifiedNodes> {
    const { nodes, sender } = this.#ports;
    try {
      const asked = { nodes: batch.nodes, all: batch.concernsAll };
      const connected = await unlessAborted(nodes.interested(asked, signal), signal);
      const rings = connected.flatMap((to): NodeNotification[] => {
        const ring = batch.ringOf(to.node, to.interests);
        return ring === undefined ? [] : [{ to, ring }];
      });
      if (rings.length <= MOST_HERE || sender.handOver === undefined) return await this.#ringEach(rings, signal);
      await unlessAborted(sender.handOver(rings, signal), signal);
      return { rung: rings.length, faults: 0 };
    } catch (fault) {
      return { rung: 0, faults: 1, fault };
    }
  }

  async #ringEach(rings: readonly NodeNotification[], signal: AbortSignal): Promise<NotifiedNodes> {
    const { sender } = this.#ports;
    const done = await Promise.allSettled(rings.map((one) => unlessAborted(sender.ring(one, signal), signal)));
    const faults = done.filter((one) => one.status === 'rejected');
    const counts = { rung: rings.length - faults.length, faults: faults.length };
    return faults[0] === undefined ? counts : { ...counts, fault: faults[0].reason };
  }
}
