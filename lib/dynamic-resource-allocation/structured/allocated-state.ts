import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { addQuantities, parseQuantity, subtractQuantities, type Quantity } from '#lib/machinery/resource/quantity.ts';
import { at, entries, flag, has, items, text } from '#lib/machinery/unstructured.ts';
import { deviceId, type Amounts, type DeviceId } from './slice.ts';

/** What is taken of devices that several claims share, by device and name of the capacity. */
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

  /** Takes back what was added; a device of which nothing is left is not taken at all. */
  remove(device: DeviceId, amounts: Amounts): void {
    const known = this.#byDevice.get(device);
    for (const [name, amount] of amounts) known?.set(name, subtractQuantities(known.get(name) ?? amount, amount));
    if ([...(known?.values() ?? [])].every(({ unscaled }) => unscaled === 0n)) this.#byDevice.delete(device);
  }
}

const plus = (known: Quantity | undefined, more: Quantity): Quantity =>
  known === undefined ? more : addQuantities(known, more);

/** What claims have of devices: upstream's AllocatedState. */
export interface AllocatedState {
  /** Those that one claim has for itself. */
  readonly devices: ReadonlySet<DeviceId>;
  /** Those that several claims may have parts of, and some do. */
  readonly shared: ReadonlySet<DeviceId>;
  readonly capacity: ConsumedCapacity;
}

/** What these claims have. Access of administrators takes nothing. */
export function allocatedState(claims: Iterable<JsonObject>): AllocatedState {
  const [devices, shared, capacity] = [new Set<DeviceId>(), new Set<DeviceId>(), new ConsumedCapacity()];
  for (const claim of claims) {
    for (const result of items(at(claim, 'status', 'allocation', 'devices'), 'results')) {
      if (flag(result, 'adminAccess') === true) continue;
      const id = deviceId(text(result, 'driver'), text(result, 'pool'), text(result, 'device'));
      (has(result, 'shareID') ? shared : devices).add(id);
      if (has(result, 'shareID') && objectAt(result, 'consumedCapacity') !== undefined)
        capacity.add(id, quantities(result, 'consumedCapacity'));
    }
  }
  return { devices, shared, capacity };
}

export const quantities = (object: JsonObject | undefined, field: string): Amounts =>
  new Map(entries(object, field).map(([name, value]) => [name, parseQuantity(value)]));
