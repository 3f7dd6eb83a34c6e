import type { NetworkPod } from './network-pod.ts';

/** Sorts the owner of an address first, which is the newest pod. A new pod may have the address of a pod whose object still exists. */
const byAge = ({ pod: a }: NetworkPod, { pod: b }: NetworkPod): number => {
  const [one = '', other = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (one !== other) return one > other ? -1 : 1;
  return keyOf(a) < keyOf(b) ? -1 : 1;
};
const keyOf = ({ metadata: { namespace = '', name = '' } }: NetworkPod['pod']): string => `${namespace}/${name}`;

/** The pods by address. If several pods claim an address, the newest one owns it. */
export class AddressOwners {
  readonly #claims = new Map<string, readonly NetworkPod[]>();

  /** The pod that owns an address in canonical form. */
  owner(address: string): NetworkPod | undefined {
    return this.#claims.get(address)?.[0];
  }

  /** Adds the claims of a pod. Returns the other pods that lose an address to it. */
  add(pod: NetworkPod): NetworkPod[] {
    return pod.addresses.flatMap(({ text }) => {
      const before = this.#claims.get(text) ?? [];
      const after = [...before, pod].sort(byAge);
      this.#claims.set(text, after);
      return after[0] === pod ? before.slice(0, 1) : [];
    });
  }

  /** Removes the claims of a pod. Returns the other pods that gain an address. */
  remove(pod: NetworkPod): NetworkPod[] {
    return pod.addresses.flatMap(({ text }) => {
      const before = this.#claims.get(text) ?? [];
      const after = before.filter((one) => one !== pod);
      if (after.length === 0) this.#claims.delete(text);
      else this.#claims.set(text, after);
      return before[0] === pod ? after.slice(0, 1) : [];
    });
  }
}
