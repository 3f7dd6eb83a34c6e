import {
  addQuantities,
  compareQuantities,
  type Quantity,
  subtractQuantities,
} from '#lib/machinery/resource/quantity.ts';
import type { AllocatedState } from './allocated-state.ts';
import type { Pool } from './pools.ts';
import type { Device } from './slice.ts';

type Left = Map<string, Map<string, Quantity>>;

const change = (left: Left, device: Device, by: (known: Quantity, amount: Quantity) => Quantity): void => {
  for (const [set, amounts] of device.consumes) {
    const known = left.get(set);
    for (const [name, amount] of amounts) {
      const before = known?.get(name);
      if (before !== undefined) known?.set(name, by(before, amount));
    }
  }
};

/** The remaining amounts of a pool's counters, which its devices share (KEP-4815). */
export class Counters {
  readonly #left: Left;

  constructor({ counterSets, devices, others }: Pool, { devices: taken, shared }: AllocatedState) {
    this.#left = new Map([...counterSets].map(([set, amounts]) => [set, new Map(amounts)]));
    for (const device of [...devices, ...others])
      if (taken.has(device.id) || shared.has(device.id)) change(this.#left, device, subtractQuantities);
  }

  /** Takes the amounts that the device needs. Returns false and takes none if a counter is too low. */
  take(device: Device): boolean {
    change(this.#left, device, subtractQuantities);
    const amounts = [...this.#left.values()].flatMap((set) => [...set.values()]);
    const isEnough = amounts.every((left) => compareQuantities(left, ZERO) >= 0);
    if (!isEnough) this.giveBack(device);
    return isEnough;
  }

  giveBack(device: Device): void {
    change(this.#left, device, addQuantities);
  }
}

const ZERO: Quantity = { unscaled: 0n, scale: 0, format: 'DecimalSI' };
