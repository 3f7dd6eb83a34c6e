import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { type BitMask, bitMask } from '../topologymanager/bitmask.ts';
import type { DevicesPerNUMA } from './checkpoint/checkpoint.ts';
import { HEALTHY, NODE_WITHOUT_TOPOLOGY } from './constants.ts';

/** The NUMA nodes of a device; none where its plugin does not tell. */
export const numaNodesOf = (device: Device | undefined): number[] => device?.topology?.nodes.map(({ ID }) => ID) ?? [];

/** The devices of one resource as its plugin told them last. */
export class ResourceDevices {
  /** By ID. */
  readonly #all = new Map<string, Device>();
  readonly #healthy = new Set<string>();
  #healthyIDs: readonly string[] | undefined;
  /** How many healthy devices a plugin had that ended since. */
  #stranded = 0;

  /** IDs that pods may get. */
  get healthy(): ReadonlySet<string> {
    return this.#healthy;
  }

  /** The IDs that pods may get, in the plugin's order: the same list until they change. */
  get healthyIDs(): readonly string[] {
    this.#healthyIDs ??= [...this.#healthy];
    return this.#healthyIDs;
  }

  /** How many devices there are, healthy or not. */
  get capacity(): number {
    return this.#all.size;
  }

  get all(): ReadonlyMap<string, Device> {
    return this.#all;
  }

  get(id: string): Device | undefined {
    return this.#all.get(id);
  }

  /** Whether any device says its NUMA node: then allocations are aligned. */
  hasTopologyAlignment(): boolean {
    for (const device of this.#all.values()) if (numaNodesOf(device).length > 0) return true;
    return false;
  }

  /** Takes the plugin's list. `health` has the IDs whose health the list tells anew, `same` whether nothing changed at all. */
  replace(devices: readonly Device[]): { readonly health: readonly string[]; readonly same: boolean } {
    const before = new Map(this.#all);
    const same = this.#stranded === 0;
    this.#all.clear();
    this.#healthy.clear();
    this.#healthyIDs = undefined;
    this.#stranded = 0;
    for (const device of devices) this.#all.set(device.ID, device);
    for (const { ID, health } of this.#all.values()) if (health === HEALTHY) this.#healthy.add(ID);
    const told = [...this.#all.values()].filter(({ ID, health }) => before.get(ID)?.health !== health);
    return { health: told.map(({ ID }) => ID), same: same && told.length === 0 && before.size === this.#all.size };
  }

  /** Nobody gets these devices any more: their plugin ended. They count for the capacity. */
  strand(): void {
    this.#stranded += this.#healthy.size;
    this.#healthy.clear();
    this.#healthyIDs = undefined;
  }

  /** The IDs by NUMA node. */
  perNUMA(ids: Iterable<string>): DevicesPerNUMA {
    const byNode = new Map<number, string[]>();
    for (const id of ids) {
      const nodes = numaNodesOf(this.#all.get(id));
      for (const node of nodes.length === 0 ? [NODE_WITHOUT_TOPOLOGY] : new Set(nodes))
        byNode.set(node, [...(byNode.get(node) ?? []), id]);
    }
    return byNode;
  }

  /** The NUMA nodes of a device as a mask; nodes that no mask can hold are left out. */
  maskOf(id: string): BitMask {
    return bitMask(...numaNodesOf(this.#all.get(id)).filter((node) => node >= 0 && node < 64));
  }
}
