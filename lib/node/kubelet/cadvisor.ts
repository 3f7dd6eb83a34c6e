import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { quantityText } from '#lib/machinery/resource/quantity.ts';

/** Huge pages of one size that a machine has set aside. */
export interface HugePagesInfo {
  /** KiB of one page. */
  readonly pageSize: number;
  readonly numPages: number;
}

/** Facts of a machine: the part of cAdvisor's MachineInfo that a Node shows. Ids are '' where the machine has none. */
export interface MachineInfo {
  readonly numCores: number;
  /** Bytes. */
  readonly memoryCapacity: number;
  /** Bytes; 0 without swap. */
  readonly swapCapacity: number;
  readonly hugePages: readonly HugePagesInfo[];
  readonly machineID: string;
  readonly systemUUID: string;
  readonly bootID: string;
}

/** Versions of a machine's software: the part of cAdvisor's VersionInfo that a Node shows. */
export interface VersionInfo {
  readonly kernelVersion: string;
  /** PRETTY_NAME of os-release. */
  readonly containerOsVersion: string;
}

/** A number of bytes as objects carry it: `16Gi`, `16384256Ki`. */
export const bytesQuantity = (bytes: number): string =>
  quantityText({ unscaled: BigInt(Math.trunc(bytes)), scale: 0, format: 'BinarySI' });

/** The resources that a machine has, without disk and pods. */
export function capacityFromMachineInfo({ numCores, memoryCapacity, hugePages }: MachineInfo): Usage {
  const capacity = new Map([
    ['cpu', String(numCores)],
    ['memory', bytesQuantity(memoryCapacity)],
  ]);
  for (const { pageSize, numPages } of hugePages)
    capacity.set(`hugepages-${bytesQuantity(pageSize * 1024)}`, bytesQuantity(pageSize * 1024 * numPages));
  return capacity;
}
