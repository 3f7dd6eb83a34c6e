import { systemClock as clock } from '#adapters/clock.ts';
import {
  ENDPOINT_SLICES,
  NAMESPACES,
  NETWORK_POLICIES,
  NODES,
  PODS,
  SERVICE_CIDRS,
  SERVICES,
} from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { Reflector } from '#lib/client/controller/reflector.ts';
import type { ListWatch } from '#lib/client/list-watch.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { FollowedType } from '#lib/server/channel/followed-types.ts';
import type { Log } from '../log.ts';
import type { Following } from '../pods/following.ts';

/** A part of the agent that follows a resource. */
export interface ObjectListener {
  /** Receives every object once, then each change, in order. */
  take(change: ObjectChange): void;
  /** Called when all objects have been delivered, and again after each list. */
  listed(): void;
}

/** The resources of which a node follows every object, by their types in polls and notifications. */
const TYPES: readonly (readonly [FollowedType, GroupVersionResource])[] = [
  ['services', SERVICES],
  ['namespaces', NAMESPACES],
  ['endpointslices', ENDPOINT_SLICES],
  ['servicecidrs', SERVICE_CIDRS],
  ['networkpolicies', NETWORK_POLICIES],
  ['allnodes', NODES],
  ['allpods', PODS],
];

/** The objects of the whole cluster that parts of the agent depend on. Each resource is followed once and shared by all its listeners. */
export class ClusterObjects {
  readonly #following: Pick<Following, 'listWatch'>;
  readonly #log: Pick<Log, 'fault'>;
  readonly #resources = new Map<string, FollowedResource>();
  readonly #running: Promise<void>[] = [];
  #signal: AbortSignal | undefined;

  constructor(following: Pick<Following, 'listWatch'>, log: Pick<Log, 'fault'>) {
    this.#following = following;
    this.#log = log;
  }

  /**
   * Adds a listener of all objects of a resource. A late listener receives the existing objects first. Throws RangeError for a resource
   * that nodes do not follow.
   */
  listen({ group, resource }: GroupVersionResource, listener: ObjectListener): void {
    const type = TYPES.find(([, one]) => one.group === group && one.resource === resource);
    if (type === undefined) throw new RangeError(`nodes do not follow ${resource}`);
    const known = this.#resources.get(type[0]);
    if (known !== undefined) return known.listen(listener);
    const fault = this.#log.fault(`cannot follow ${resource} of the cluster`);
    const followed = new FollowedResource(type[1], this.#following.listWatch(...type), fault);
    this.#resources.set(type[0], followed);
    followed.listen(listener);
    if (this.#signal !== undefined) this.#running.push(followed.run(this.#signal));
  }

  /** Follows the resources until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const followed of this.#resources.values()) this.#running.push(followed.run(signal));
    await clock.sleep(Infinity, signal);
    await Promise.all(this.#running);
  }
}

/** A resource and its listeners. */
class FollowedResource {
  readonly #resource: GroupVersionResource;
  readonly #from: ListWatch;
  readonly #onFault: (error: unknown) => void;
  readonly #listeners: ObjectListener[] = [];
  #reflector: Reflector | undefined;
  #isListed = false;

  constructor(resource: GroupVersionResource, from: ListWatch, onFault: (error: unknown) => void) {
    this.#resource = resource;
    this.#from = from;
    this.#onFault = onFault;
  }

  listen(listener: ObjectListener): void {
    this.#listeners.push(listener);
    for (const change of this.#reflector?.all() ?? []) listener.take(change);
    if (this.#isListed) listener.listed();
  }

  run(signal: AbortSignal): Promise<void> {
    this.#reflector = new Reflector({
      resource: this.#resource,
      from: this.#from,
      clock,
      random: () => Math.random(),
      deliver: (change) => {
        for (const listener of this.#listeners) listener.take(change);
      },
      listed: () => {
        this.#isListed = true;
        for (const listener of this.#listeners) listener.listed();
      },
      onFault: this.#onFault,
      signal,
    });
    return this.#reflector.run();
  }
}
