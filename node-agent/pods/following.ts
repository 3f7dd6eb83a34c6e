import { systemClock as clock } from '#adapters/clock.ts';
import { type ListWatch, listWatch } from '#lib/client/list-watch.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { News } from '#lib/node/kubelet/looks/news.ts';
import type { ChannelState } from '#lib/server/channel/agent-channel.ts';
import type { FollowedType } from '#lib/server/channel/followed-types.ts';
import { decodeLook, type FollowedState } from '#lib/server/channel/look.ts';
import type { NodeConnection } from '../connection.ts';
import type { Log } from '../log.ts';
import type { AgentOptions } from '../options.ts';

/** Milliseconds that an object is good for where looks tell of its changes: only a look that is missed needs a bound. */
const GOOD_FOR = 3_600_000;

/** The way of this node to learn of changes in the API: by watches, or by looks and rings. */
export class Following {
  readonly #connection: NodeConnection;
  readonly #news: News;

  constructor(connection: NodeConnection, { node, lookFrequency: frequency }: AgentOptions, log: Log) {
    this.#connection = connection;
    const path = `/apis/node.davit.dev/v1/nodes/${node}/look`;
    this.#news = new News({
      look: async (known) =>
        decodeLook(await connection.client.document(`${path}?${new URLSearchParams(known).toString()}`)),
      clock,
      random: () => Math.random(),
      frequency,
      onFault: log.fault('cannot look for changes'),
    });
  }

  /** Lists and follows the objects of a type; with a field selector those that it selects. */
  listWatch(type: FollowedType, resource: GroupVersionResource, fieldSelector = ''): ListWatch {
    return this.#news.listWatch(type, listWatch(this.#connection.requests, resource, '', fieldSelector));
  }

  /** Milliseconds that an object which was fetched is good for; undefined where nothing tells of its changes. */
  get goodFor(): number | undefined {
    return this.#news.looks ? GOOD_FOR : undefined;
  }

  /** The metrics of rings. */
  get metrics(): Collector {
    return this.#news.metrics;
  }

  /** Takes what the channel reports. */
  take(state: ChannelState): void {
    this.#news.take(state);
  }

  /** Takes a ring of the server. */
  ring(body: Json): void {
    this.#news.ring(body);
  }

  /** Tells the state of a type with each look that shows another one. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): void {
    this.#news.listen(type, listener);
  }

  /** Whether the Node of this machine has no newer version, as far as looks and rings tell. */
  isNewestNode(version: string): boolean {
    return this.#news.isNewestNode(version);
  }

  /** Looks, where the node looks, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#news.run(signal);
  }
}
