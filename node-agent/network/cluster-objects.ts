import { systemClock as clock } from '#adapters/clock.ts';
import { listWatch } from '#lib/client/list-watch.ts';
import type { ObjectChange } from '#lib/controller/reconciler.ts';
import { Reflector } from '#lib/controller/reflector.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { NodeConnection } from '../connection.ts';
import type { Log } from '../log.ts';

/** A part of the network that follows a resource. */
export interface ObjectListener {
  /** Takes every object once, then each change, in order. */
  take(change: ObjectChange): void;
  /** All objects have been delivered. Called again after each list. */
  listed(): void;
}

interface FollowedResource {
  readonly resource: GroupVersionResource;
  readonly listeners: ObjectListener[];
}

/** The objects of the cluster that a node's network depends on. Each resource is followed once, however many parts listen. */
export class ClusterObjects {
  readonly #connection: NodeConnection;
  readonly #log: Log;
  readonly #resources = new Map<string, FollowedResource>();

  constructor(connection: NodeConnection, log: Log) {
    this.#connection = connection;
    this.#log = log;
  }

  /** Adds a listener of all objects of a resource. Call it before `run`. */
  listen(resource: GroupVersionResource, listener: ObjectListener): void {
    const key = `${resource.resource}.${resource.group}`;
    const followed = this.#resources.get(key) ?? { resource, listeners: [] };
    this.#resources.set(key, followed);
    followed.listeners.push(listener);
  }

  /** Follows the resources until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#resources.values()].map((followed) => this.#follow(followed, signal)));
  }

  #follow({ resource, listeners }: FollowedResource, signal: AbortSignal): Promise<void> {
    return new Reflector({
      resource,
      from: listWatch(this.#connection.requests, resource, ''),
      clock,
      random: () => Math.random(),
      deliver(change) {
        for (const listener of listeners) listener.take(change);
      },
      listed() {
        for (const listener of listeners) listener.listed();
      },
      onFault: this.#log.fault(`cannot follow ${resource.resource} for the network`),
      signal,
    }).run();
  }
}
