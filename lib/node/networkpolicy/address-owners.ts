import type { NetworkPod } from './network-pod.ts';

/** Has the pod that an address belongs to first. A new pod may have the address of one whose object is not gone yet. */
const byAge = ({ pod: a }: NetworkPod, { pod: b }: NetworkPod): number => {
  const [one = '', other = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (one !== other) return one > other ? -1 : 1;
  return keyOf(a) < keyOf(b) ? -1 : 1;
};
const keyOf = ({ metadata: { namespace = '', name = '' } }: NetworkPod['pod']): string => `${namespace}/${name}`;

/** The pods of addresses. Of those that claim the same address the newest has it. */
export class AddressOwners {
  readonly #claims = new Map<string, readonly NetworkPod[]>();

  /** The pod that has an address, written canonically. */
  owner(address: string): NetworkPod | undefined {
    return this.#claims.get(address)?.[0];
  }

  /** Adds the claims of a pod. Gives other pods that lose an address by it. */
  add(pod: NetworkPod): NetworkPod[] {
    return pod.addresses.flatMap(({ text }) => {
      const before = this.#claims.get(text) ?? [];
      const after = [...before, pod].sort(byAge);
      this.#claims.set(text, after);
      return after[0] === pod ? before.slice(0, 1) : [];
    });
  }

  /** Takes the claims of a pod away. Gives other pods that get an address by it. */
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
