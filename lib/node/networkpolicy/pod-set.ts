import type { Family } from '#lib/machinery/net/addr.ts';
import type { AddressOwners } from './address-owners.ts';
import type { NetworkPod } from './network-pod.ts';

/** An address and the suffix of its element. */
type Element = readonly [address: string, suffix: string];

/** Pods and their elements in an nftables set: their addresses, each with a suffix. */
export class PodSet {
  readonly #owners: AddressOwners;
  readonly #pods = new Map<NetworkPod, string>();
  /** The elements at the last request. */
  readonly #elements = new Map<Family, ReadonlySet<string>>();
  /** The elements that may have been added or removed since then. */
  readonly #dirty = new Map<Family, Map<string, Element>>();

  constructor(owners: AddressOwners) {
    this.#owners = owners;
  }

  get size(): number {
    return this.#pods.size;
  }

  has(pod: NetworkPod): boolean {
    return this.#pods.has(pod);
  }

  put(pod: NetworkPod, suffix = ''): void {
    this.#pods.set(pod, suffix);
    this.#note(pod, suffix);
  }

  delete(pod: NetworkPod): void {
    const suffix = this.#pods.get(pod);
    if (suffix === undefined) return;
    this.#pods.delete(pod);
    this.#note(pod, suffix);
  }

  /** Handles a pod that has lost or gained the ownership of an address. */
  changed(pod: NetworkPod): void {
    const suffix = this.#pods.get(pod);
    if (suffix !== undefined) this.#note(pod, suffix);
  }

  /** The elements of a family. The object stays the same until an element changes. */
  elements(family: Family): ReadonlySet<string> {
    const known = this.#elements.get(family);
    const dirty = this.#dirty.get(family);
    if (known !== undefined && dirty === undefined) return known;
    this.#dirty.delete(family);
    const elements = known === undefined ? this.#all(family) : this.#renewed(known, dirty ?? new Map());
    this.#elements.set(family, elements);
    return elements;
  }

  #note({ addresses }: NetworkPod, suffix: string): void {
    for (const { family, text } of addresses) {
      if (!this.#elements.has(family)) continue;
      const dirty = this.#dirty.get(family) ?? new Map<string, Element>();
      this.#dirty.set(family, dirty.set(`${text}${suffix}`, [text, suffix]));
    }
  }

  #all(family: Family): ReadonlySet<string> {
    const elements = new Set<string>();
    for (const [pod, suffix] of this.#pods)
      for (const { family: own, text } of pod.addresses)
        if (own === family && this.#owners.owner(text) === pod) elements.add(`${text}${suffix}`);
    return elements;
  }

  #renewed(known: ReadonlySet<string>, dirty: ReadonlyMap<string, Element>): ReadonlySet<string> {
    const changed = [...dirty].filter(([element, of]) => known.has(element) !== this.#isThere(of));
    if (changed.length === 0) return known;
    const elements = new Set(known);
    for (const [element] of changed) if (!elements.delete(element)) elements.add(element);
    return elements;
  }

  #isThere([address, suffix]: Element): boolean {
    const owner = this.#owners.owner(address);
    return owner !== undefined && this.#pods.get(owner) === suffix;
  }
}
