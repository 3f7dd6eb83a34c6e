import type { Device } from '#lib/node/kubelet-api/generated/deviceplugin-v1beta1.ts';
import { type BitMask, bitMask } from '../topologymanager/bitmask.ts';
import type { DevicesPerNUMA } from './checkpoint/checkpoint.ts';
import { HEALTHY, NODE_WITHOUT_TOPOLOGY } from './constants.ts';

/** The NUMA nodes of a device. Empty if its plugin does not report any. */
export const numaNodesOf = (device: Device | undefined): number[] => device?.topology?.nodes.map(({ ID }) => ID) ?? [];

/** The devices of one resource in the plugin's last list. */
export class ResourceDevices {
  /** The devices by ID. */
  readonly #all = new Map<string, Device>();
  readonly #healthy = new Set<string>();
  #healthyIDs: readonly string[] | undefined;
  /** Number of formerly healthy devices whose plugin has stopped. */
  #stranded = 0;

  /** IDs of healthy devices. */
  get healthy(): ReadonlySet<string> {
    return this.#healthy;
  }

  /** The IDs of healthy devices in the plugin's order. The list stays identical until they change. */
  get healthyIDs(): readonly string[] {
    this.#healthyIDs ??= [...this.#healthy];
    return this.#healthyIDs;
  }

  /** Number of devices, healthy or not. */
  get capacity(): number {
    return this.#all.size;
  }

  get all(): ReadonlyMap<string, Device> {
    return this.#all;
  }

  get(id: string): Device | undefined {
    return this.#all.get(id);
  }

  /** Whether any device has a NUMA node, so that allocations are aligned. */
  hasTopologyAlignment(): boolean {
    for (const device of this.#all.values()) if (numaNodesOf(device).length > 0) return true;
    return false;
  }

  /**
   * Replaces the devices with the plugin's list. `health` contains the IDs whose health changed. `same` is true if the list has no changes.
   */
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

  /** Makes the devices unavailable because their plugin stopped. They still count towards the capacity. */
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

  /** The NUMA nodes of a device as a mask. Skips node numbers that do not fit a mask. */
  maskOf(id: string): BitMask {
    return bitMask(...numaNodesOf(this.#all.get(id)).filter((node) => node >= 0 && node < 64));
  }
}
