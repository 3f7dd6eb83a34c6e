import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { COALESCED, type Ring } from '#lib/server/channel/ring.ts';
import type { Interests } from '#lib/server/channel/ring-interests.ts';
import { RingBatch } from './rings-batch.ts';

/** A node with a channel, whose agent wants to be rung: it has looked, and its interests are kept. */
export interface ConnectedNode {
  readonly node: string;
  /** Names of its connections, for the sender; the newest comes first. */
  readonly connections: readonly string[];
  readonly interests: Interests;
}

/** The nodes that changes may concern. */
export interface Asked {
  /** These nodes are rung if they are connected. */
  readonly nodes: readonly string[];
  /** Any connected node may be rung: its interests decide, or the change concerns every one. */
  readonly all: boolean;
}

/** The channels of nodes, as those who ring know them. */
export interface ConnectedNodes {
  /** Those connected nodes that are asked for, and others too where that is cheaper: by one eventually consistent query. Throws StoreError. */
  interested(asked: Asked, signal: AbortSignal): Promise<readonly ConnectedNode[]>;
}

/** One ring of one node. */
export interface NodeRing {
  readonly to: ConnectedNode;
  readonly ring: Ring;
}

/** Rings nodes. */
export interface RingSender {
  /** Rings one node by its connections. Rejects where none takes it, or the signal aborts. */
  ring(one: NodeRing, signal: AbortSignal): Promise<void>;
  /** Has many nodes rung by another function, which is not waited for. Absent: they are rung one by one. */
  handOver?(rings: readonly NodeRing[], signal: AbortSignal): Promise<void>;
}

/** The ports of rings. */
export interface RingsPorts {
  readonly nodes: ConnectedNodes;
  readonly sender: RingSender;
  readonly clock: Clock;
}

/** Counts of one round of rings. */
export interface RungNodes {
  /** Nodes that were rung, or handed over. */
  readonly rung: number;
  /** Nodes that could not be rung in time. */
  readonly faults: number;
  /** Why, of the first. */
  readonly fault?: unknown;
}

/** Milliseconds that rings may take in all: they are worth no more, as each node looks by itself. */
const TIMEOUT = 2_000;
/** Receivers that are rung here; more are handed over. */
const MOST_HERE = 50;

const NOBODY: RungNodes = { rung: 0, faults: 0 };

/**
 * Tells nodes of committed changes, so that they hold no watch. It keeps no place in any log and tries nothing twice: a ring that is lost
 * is made up for by the node's next look.
 */
export class Rings {
  readonly #ports: RingsPorts;
  #batch = new RingBatch();
  /** Monotonic time at which every node that follows a type was rung for it. */
  readonly #rungAll = new Map<string, number>();

  constructor(ports: RingsPorts) {
    this.#ports = ports;
  }

  /** Takes a committed change of whatever resource, for the next round. Throws TypeError where its body is no object. */
  take(change: ObjectChange): void {
    this.#batch.add(change);
  }

  /** Rings the nodes that the changes concern which were taken since the last round. Within two seconds; does not reject. */
  async send(): Promise<RungNodes> {
    const batch = this.#batch;
    this.#batch = new RingBatch();
    this.#coalesce(batch);
    if (batch.isEmpty) return NOBODY;
    const ending = new AbortController();
    const late = this.#ports.clock.sleep(TIMEOUT, ending.signal).then(() => ending.abort(new Error('out of time')));
    try {
      return await this.#send(batch, ending.signal);
    } finally {
      ending.abort();
      await late;
    }
  }

  /** Leaves out types of which every node, or every one that follows them, was told less than a second ago. */
  #coalesce({ everyNode, networks }: RingBatch): void {
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

  async #send(batch: RingBatch, signal: AbortSignal): Promise<RungNodes> {
    const { nodes, sender } = this.#ports;
    try {
      const asked = { nodes: batch.nodes, all: batch.concernsAll };
      const connected = await inTime(nodes.interested(asked, signal), signal);
      const rings = connected.flatMap((to): NodeRing[] => {
        const ring = batch.ringOf(to.node, to.interests);
        return ring === undefined ? [] : [{ to, ring }];
      });
      if (rings.length <= MOST_HERE || sender.handOver === undefined) return await this.#ringEach(rings, signal);
      await inTime(sender.handOver(rings, signal), signal);
      return { rung: rings.length, faults: 0 };
    } catch (fault) {
      return { rung: 0, faults: 1, fault };
    }
  }

  async #ringEach(rings: readonly NodeRing[], signal: AbortSignal): Promise<RungNodes> {
    const { sender } = this.#ports;
    const done = await Promise.allSettled(rings.map((one) => inTime(sender.ring(one, signal), signal)));
    const faults = done.filter((one) => one.status === 'rejected');
    const counts = { rung: rings.length - faults.length, faults: faults.length };
    return faults[0] === undefined ? counts : { ...counts, fault: faults[0].reason };
  }
}

/** Rejects where the signal aborts before. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const stop = (): void => late.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
