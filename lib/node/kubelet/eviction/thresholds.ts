import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import { bytesQuantity } from '../cadvisor.ts';
import type { FsInfo } from '../host.ts';

/** Hard eviction thresholds by signal, each as a quantity or a percentage of the capacity: `100Mi`, `10%`. */
export type Thresholds = Readonly<Record<string, string>>;

/** Upstream's DefaultEvictionHard for Linux. Thresholds of the image file system apply if the container runtime has one. */
export const DEFAULT_EVICTION_HARD: Thresholds = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
};

/** The hard eviction thresholds for a configuration: its own, the defaults, or both merged. */
export const evictionHardOf = (own: Thresholds | undefined, mergesDefaults: boolean): Thresholds =>
  own === undefined ? DEFAULT_EVICTION_HARD : mergesDefaults ? { ...DEFAULT_EVICTION_HARD, ...own } : own;

/** The observed values from which signals are computed. */
export interface Observations {
  /** Available memory in bytes. */
  readonly memoryAvailable: number;
  readonly memoryCapacity: number;
  readonly rootFs: FsInfo;
}

/** The pressures in the conditions of a Node. */
export interface Pressures {
  readonly memory: boolean;
  readonly disk: boolean;
  readonly pid: boolean;
}

/** The quantity of a threshold (upstream: GetThresholdQuantity, whose percentages have single precision). */
export function thresholdQuantity(threshold: string, capacity: number): string {
  if (!threshold.endsWith('%')) return threshold;
  return bytesQuantity(capacity * Math.fround(Math.fround(Number(threshold.slice(0, -1))) / 100));
}

/** Computes which signals are met. Upstream sets no threshold for process ids, so by default the node never has that pressure. */
export function pressuresOf(
  thresholds: Thresholds,
  { memoryAvailable, memoryCapacity, rootFs }: Observations,
): Pressures {
  const isMet = (signal: string, value: number, capacity: number): boolean => {
    const threshold = thresholds[signal];
    return threshold !== undefined && BigInt(value) < wholeValue(thresholdQuantity(threshold, capacity));
  };
  return {
    memory: isMet('memory.available', memoryAvailable, memoryCapacity),
    disk:
      isMet('nodefs.available', rootFs.available, rootFs.capacity) ||
      (rootFs.inodes > 0 && isMet('nodefs.inodesFree', rootFs.inodesFree, rootFs.inodes)),
    pid: false,
  };
}
