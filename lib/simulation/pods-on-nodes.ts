import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { blockAt, cidrText, networkOf } from '#lib/controllers/node-ipam/network.ts';
import { isTerminal } from '#lib/controllers/workload/pod.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';

/** Addresses of a network that are tried at most. */
const TRIED = 2 ** 16;

/** The pods of simulated nodes, and the addresses that they have, as changes tell. */
export class PodsOnNodes {
  readonly #nodes: ReadonlySet<string>;
  /** By `namespace/name`. */
  readonly #nodeOf = new Map<string, string>();
  /** Pods' uids by `namespace/name`. */
  readonly #uidOf = new Map<string, string>();
  /** Pods' uids by their addresses. */
  readonly #taken = new Map<string, string>();
  readonly #addressesOf = new Map<string, readonly string[]>();
  /** Of each network where the next search begins: an address that was given back is not at once another pod's. */
  readonly #next = new Map<string, number>();

  constructor(nodes: readonly string[]) {
    this.#nodes = new Set(nodes);
  }

  /** The key of a pod of one of the nodes; undefined for every other change. */
  note(change: ObjectChange): string | undefined {
    if (change.group !== '' || change.resource !== 'pods') return undefined;
    const key = `${change.namespace}/${change.name}`;
    if (!this.#nodeOf.has(key) && !change.mentions('"nodeName"')) return undefined;
    if (change.type === 'DELETED') {
      this.#forget(key, change.object());
      return undefined;
    }
    const pod = typedObject(PODS, change.object());
    const { nodeName: node = '' } = pod.spec;
    if (!this.#nodes.has(node)) return undefined;
    this.#nodeOf.set(key, node);
    this.#uidOf.set(key, uidOf(pod));
    if (isTerminal(pod)) this.#free(uidOf(pod));
    else if (!isOnHost(pod)) this.#take(uidOf(pod), addressesIn(pod));
    return key;
  }

  /** The node that the pod is on; undefined where that is none of these. */
  nodeOf(key: string): string | undefined {
    return this.#nodeOf.get(key);
  }

  /** The pod's addresses, one of each network, which nobody else has until it is gone; none where a network has none left. */
  addressesFor(pod: Pod, networks: readonly string[]): readonly string[] {
    const held = this.#addressesOf.get(uidOf(pod));
    if (held !== undefined && held.length > 0) return held;
    const found = networks.map((network) => this.#freeIn(network));
    const addresses = found.filter((address) => address !== undefined);
    if (addresses.length < networks.length) return [];
    this.#take(uidOf(pod), addresses);
    return addresses;
  }

  /** Forgets a pod by its place: that may be all that its deletion tells. */
  #forget(key: string, last: JsonObject): void {
    this.#free(this.#uidOf.get(key) ?? uidOf(last));
    this.#nodeOf.delete(key);
    this.#uidOf.delete(key);
  }

  #take(uid: string, addresses: readonly string[]): void {
    if (addresses.length === 0) return;
    this.#addressesOf.set(uid, addresses);
    for (const address of addresses) this.#taken.set(address, uid);
  }

  #free(uid: string): void {
    for (const address of this.#addressesOf.get(uid) ?? [])
      if (this.#taken.get(address) === uid) this.#taken.delete(address);
    this.#addressesOf.delete(uid);
  }

  /** Not the network's own address, its gateway's, or the last. */
  #freeIn(cidr: string): string | undefined {
    const network = networkOf(cidr);
    if (network === undefined) return undefined;
    const size = Math.min(TRIED, 2 ** (network.bits - network.length)) - 3;
    const start = this.#next.get(cidr) ?? 0;
    for (let tried = 0; tried < size; tried++) {
      const place = (start + tried) % size;
      const [address = ''] = cidrText(blockAt(network, network.bits, place + 2)).split('/');
      if (this.#taken.has(address)) continue;
      this.#next.set(cidr, place + 1);
      return address;
    }
    return undefined;
  }
}

/** Whether a pod is on its node's network. */
export const isOnHost = ({ spec }: Pod): boolean => spec.hostNetwork === true;

const addressesIn = ({ status: { podIPs = [] } }: Pod): string[] => podIPs.map(({ ip }) => ip);
