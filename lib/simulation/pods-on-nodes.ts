import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { addrAfter, bitLength } from '#lib/machinery/net/addr.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { masked } from '#lib/machinery/net/prefix.ts';

/** The maximum number of addresses tried in a network. */
const TRIED = 2 ** 16;

/** Tracks the pods of simulated nodes and their addresses based on changes of pods. */
export class PodsOnNodes {
  readonly #nodes: ReadonlySet<string>;
  /** Node names by `namespace/name` of the pod. */
  readonly #nodeOf = new Map<string, string>();
  /** Pod uids by `namespace/name`. */
  readonly #uidOf = new Map<string, string>();
  /** Pod uids by address. */
  readonly #taken = new Map<string, string>();
  readonly #addressesOf = new Map<string, readonly string[]>();
  /** The start of the next search in each network, so that a freed address is not reused at once. */
  readonly #next = new Map<string, number>();

  constructor(nodes: readonly string[]) {
    this.#nodes = new Set(nodes);
  }

  /** Processes a change. Returns the key if the pod is on one of the nodes. Undefined for every other change. */
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
    if (isPodTerminal(pod)) this.#free(uidOf(pod));
    else if (!isOnHost(pod)) this.#take(uidOf(pod), addressesIn(pod));
    return key;
  }

  /** The node of the pod. Undefined if it is on none of these nodes. */
  nodeOf(key: string): string | undefined {
    return this.#nodeOf.get(key);
  }

  /**
   * The pod's addresses, one from each network, reserved until the pod has terminated or is deleted. Empty if a network has no free
   * address.
   */
  addressesFor(pod: Pod, networks: readonly string[]): readonly string[] {
    const held = this.#addressesOf.get(uidOf(pod));
    if (held !== undefined && held.length > 0) return held;
    const found = networks.map((network) => this.#freeIn(network));
    const addresses = found.filter((address) => address !== undefined);
    if (addresses.length < networks.length) return [];
    this.#take(uidOf(pod), addresses);
    return addresses;
  }

  /** Forgets a pod by its key, because its deletion may contain only the key. */
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

  /** The next free address, except the network's own address, its gateway's, and the last one. */
  #freeIn(cidr: string): string | undefined {
    const network = parseCIDRSloppy(cidr);
    if (network === undefined) return undefined;
    const size = Math.min(TRIED, 2 ** (bitLength(network.addr.family) - network.length)) - 3;
    const { addr } = masked(network);
    const start = this.#next.get(cidr) ?? 0;
    for (let tried = 0; tried < size; tried++) {
      const place = (start + tried) % size;
      const address = addrText(addrAfter(addr, place + 2));
      if (this.#taken.has(address)) continue;
      this.#next.set(cidr, place + 1);
      return address;
    }
    return undefined;
  }
}

/** Whether a pod uses its node's network. */
export const isOnHost = ({ spec }: Pod): boolean => spec.hostNetwork === true;

const addressesIn = ({ status: { podIPs = [] } }: Pod): string[] => podIPs.map(({ ip }) => ip);
