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

/** Time in ms for which an object is cached if polls report its changes. The limit only matters if a poll is missed. */
const GOOD_FOR = 3_600_000;

/** Follows changes in the API for this node, either with watches or with polls and notifications. */
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

  /** Lists and follows the objects of a type, or those that a field selector selects. */
  listWatch(type: FollowedType, resource: GroupVersionResource, fieldSelector = ''): ListWatch {
    return this.#news.listWatch(type, listWatch(this.#connection.requests, resource, '', fieldSelector));
  }

  /**
   * Time in ms for which a fetched object may be cached. Undefined if the node does not poll, because changes to the object would then go unnoticed.
   */
  get goodFor(): number | undefined {
    return this.#news.looks ? GOOD_FOR : undefined;
  }

  /** The metrics of notifications. */
  get metrics(): Collector {
    return this.#news.metrics;
  }

  /** Handles a change of the channel's state. */
  take(state: ChannelState): void {
    this.#news.take(state);
  }

  /** Handles a notification from the server. */
  ring(body: Json): void {
    this.#news.ring(body);
  }

  /** Calls the listener after each poll that returns a new state for the type. */
  listen(type: FollowedType, listener: (state: FollowedState) => void): void {
    this.#news.listen(type, listener);
  }

  /** Whether no newer version of this machine's Node is known from polls and notifications. */
  isNewestNode(version: string): boolean {
    return this.#news.isNewestNode(version);
  }

  /** Polls until the signal aborts, if the node polls. */
  run(signal: AbortSignal): Promise<void> {
    return this.#news.run(signal);
  }
}
