import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { quantityText } from '#lib/machinery/resource/quantity.ts';

/** Huge pages of one size that a machine has reserved. */
export interface HugePagesInfo {
  /** Size of one page in KiB. */
  readonly pageSize: number;
  readonly numPages: number;
}

/** Facts about a machine: the part of cAdvisor's MachineInfo that a Node shows. An id is '' if the machine has none. */
export interface MachineInfo {
  readonly numCores: number;
  /** Memory size in bytes. */
  readonly memoryCapacity: number;
  /** Swap size in bytes, 0 without swap. */
  readonly swapCapacity: number;
  readonly hugePages: readonly HugePagesInfo[];
  readonly machineID: string;
  readonly systemUUID: string;
  readonly bootID: string;
}

/** Software versions of a machine: the part of cAdvisor's VersionInfo that a Node shows. */
export interface VersionInfo {
  readonly kernelVersion: string;
  /** PRETTY_NAME from os-release. */
  readonly containerOsVersion: string;
}

/** A byte count as a quantity: `16Gi`, `16384256Ki`. */
export const bytesQuantity = (bytes: number): string =>
  quantityText({ unscaled: BigInt(Math.trunc(bytes)), scale: 0, format: 'BinarySI' });

/** The capacity of a machine, without disk and pods. */
export function capacityFromMachineInfo({ numCores, memoryCapacity, hugePages }: MachineInfo): Usage {
  const capacity = new Map([
    ['cpu', String(numCores)],
    ['memory', bytesQuantity(memoryCapacity)],
  ]);
  for (const { pageSize, numPages } of hugePages)
    capacity.set(`hugepages-${bytesQuantity(pageSize * 1024)}`, bytesQuantity(pageSize * 1024 * numPages));
  return capacity;
}
