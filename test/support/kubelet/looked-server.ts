import { once } from 'node:events';
import type { ListWatch, WatchEvent } from '#lib/client/list-watch.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { KnownVersions } from '#lib/node/kubelet/looks/looks.ts';
import { NETWORK_TYPES } from '#lib/server/channel/followed-types.ts';
import type { FollowedState, NodeLook } from '#lib/server/channel/look.ts';

/** A pod or Secret: its version, and a spec that represents the fields whose changes cause notifications to nodes. */
interface Stored {
  readonly version: string;
  readonly spec: JsonObject;
}

/** A server with the pods and Secrets of one node. It serves polls, lists and watches. */
export class LookedServer {
  readonly pods = new Map<string, Stored>();
  readonly secrets = new Map<string, Stored>();
  version = 1;
  servicesVersion = 1;
  /** The version of the Node object; undefined for a server that does not send it. */
  nodeVersion: string | undefined = '1';
  asked: KnownVersions[] = [];
  lists = 0;
  /** The number of open watches. */
  watches = 0;
  isDown = false;
  /** The version of each type of network object; undefined for a server that does not send it. */
  networkVersion: number | undefined = 1;
  /** Changes to a whole type by version, and whether the server sends all events of a watch that ends at a version. */
  readonly changes: { readonly version: number; readonly type: 'ADDED' | 'DELETED'; readonly name: string }[] = [];
  isOld = false;

  /** Changes a pod or a Secret. Without a version, removes it. */
  set(name: string, version: string | undefined, { in: where = this.pods, spec = {} } = {}): void {
    this.version++;
    if (version === undefined) where.delete(name);
    else where.set(name, { version, spec });
  }

  async look(known: KnownVersions): Promise<NodeLook> {
    this.asked.push(known);
    if (this.isDown) throw new Error('down');
    const version = String(this.version);
    const state = (of: string | undefined, objects: ReadonlyMap<string, Stored>): FollowedState =>
      of === version
        ? { version }
        : { version, objects: Object.fromEntries([...objects].map(([name, at]) => [`here/${name}`, at.version])) };
    const still = { version: '1' };
    return {
      kind: 'NodeLook',
      apiVersion: 'node.davit.dev/v1',
      ...(this.nodeVersion !== undefined && { nodes: { version: this.nodeVersion } }),
      pods: state(known.pods, this.pods),
      secrets: state(known.secrets, this.secrets),
      configmaps: still,
      services: { version: String(this.servicesVersion) },
      runtimeclasses: still,
      ...Object.fromEntries(
        NETWORK_TYPES.filter((type) => known[type] !== undefined && this.networkVersion !== undefined).map((type) => [
          type,
          { version: String(this.networkVersion) },
        ]),
      ),
      ...(known.interests === '' && { interests: 'kept' }),
    };
  }

  readonly listWatch: ListWatch = {
    list: async () => {
      this.lists++;
      if (this.isDown) throw new Error('down');
      const items = [...this.pods].map(([name, { version: resourceVersion, spec }]): JsonObject => {
        const metadata = { namespace: 'here', name, resourceVersion };
        return { metadata, spec, status: {} };
      });
      return { items, version: String(this.version), next: '' };
    },
    watch: ({ signal }) => this.#watch(signal),
  };

  /** The list of EndpointSlices, and watches that end at a version. */
  readonly slices: ListWatch = {
    list: async () => {
      this.lists++;
      const names = new Set<string>();
      for (const { type, name } of this.changes) if (type === 'ADDED') names.add(name);
      for (const { type, name } of this.changes) if (type === 'DELETED') names.delete(name);
      const items = [...names].map((name) => ({ metadata: { namespace: 'here', name, resourceVersion: '1' } }));
      return { items, version: String(this.networkVersion ?? 1), next: '' };
    },
    watch: ({ version, until, signal }) =>
      until === undefined ? this.#watch(signal) : this.#changes(Number(version), Number(until)),
  };

  /** Changes a whole type. */
  change(type: 'ADDED' | 'DELETED', name: string): void {
    this.networkVersion = (this.networkVersion ?? 0) + 1;
    this.changes.push({ version: this.networkVersion, type, name });
  }

  async *#changes(behind: number, until: number): AsyncGenerator<WatchEvent> {
    if (this.isOld) return;
    for (const { version, type, name } of this.changes) {
      const metadata = { namespace: 'here', name, resourceVersion: String(version) };
      if (version > behind && version <= until) yield { type, object: { metadata } };
    }
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.watches++;
    await once(signal, 'abort');
    this.watches--;
    yield { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.version) } } };
  }
}
