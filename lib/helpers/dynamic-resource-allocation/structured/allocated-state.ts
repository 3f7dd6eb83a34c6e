import type { ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { addQuantities, parseQuantity, type Quantity, subtractQuantities } from '#lib/machinery/resource/quantity.ts';
import { type Amounts, type DeviceId, deviceId } from './slice.ts';

/** The consumed capacity of devices shared by several claims, by device and capacity name. */
export class ConsumedCapacity {
  readonly #byDevice = new Map<DeviceId, Map<string, Quantity>>();

  of(device: DeviceId): Amounts | undefined {
    return this.#byDevice.get(device);
  }

  add(device: DeviceId, amounts: Amounts): void {
    const known = this.#byDevice.get(device) ?? new Map<string, Quantity>();
    for (const [name, amount] of amounts) known.set(name, plus(known.get(name), amount));
    this.#byDevice.set(device, known);
  }

  /** Subtracts amounts that were added before. A device without remaining amounts is no longer in use. */
  remove(device: DeviceId, amounts: Amounts): void {
    const known = this.#byDevice.get(device);
    for (const [name, amount] of amounts) known?.set(name, subtractQuantities(known.get(name) ?? amount, amount));
    if ([...(known?.values() ?? [])].every(({ unscaled }) => unscaled === 0n)) this.#byDevice.delete(device);
  }
}

const plus = (known: Quantity | undefined, more: Quantity): Quantity =>
  known === undefined ? more : addQuantities(known, more);

/** The devices allocated to claims: upstream's AllocatedState. */
export interface AllocatedState {
  /** The devices that one claim uses exclusively. */
  readonly devices: ReadonlySet<DeviceId>;
  /** The devices in use that several claims may share. */
  readonly shared: ReadonlySet<DeviceId>;
  readonly capacity: ConsumedCapacity;
}

/** The devices of these claims. Devices with admin access do not count. */
export function allocatedState(claims: Iterable<ResourceClaim>): AllocatedState {
  const [devices, shared, capacity] = [new Set<DeviceId>(), new Set<DeviceId>(), new ConsumedCapacity()];
  for (const { status } of claims) {
    for (const { driver, pool, device, ...result } of status.allocation?.devices.results ?? []) {
      if (result.adminAccess === true) continue;
      const id = deviceId(driver, pool, device);
      (result.shareID === undefined ? devices : shared).add(id);
      if (result.shareID !== undefined && result.consumedCapacity !== undefined)
        capacity.add(id, amountsOf(result.consumedCapacity));
    }
  }
  return { devices, shared, capacity };
}

/** The parsed quantities of a map. */
export const amountsOf = (quantities: Readonly<Record<string, string>> = {}): Amounts =>
  new Map(Object.entries(quantities).map(([name, value]) => [name, parseQuantity(value)]));
