import { compareQuantities, sumOfQuantities, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { quantityText } from '#lib/machinery/resource/quantity.ts';
import type { FsStats, MemoryStats, Summary, UInt64 } from '../stats/summary.ts';
import type { Threshold, ThresholdValue } from './parse-threshold-config.ts';
import type { Signal } from './signals.ts';

/** The observed state of a signal. Quantities are canonical. */
export interface Observation {
  readonly available: string;
  readonly capacity: string;
  /** Time of the measurement in milliseconds since 1970, or undefined if unknown. */
  readonly time: number | undefined;
}

/** The observed state of each signal in the statistics. */
export type Observations = ReadonlyMap<Signal, Observation>;

/** The name of all pods' cgroup among the system containers of a summary. */
const PODS = 'pods';

/** A byte count as a quantity: `100Mi`. */
export const bytes = (value: UInt64): string => quantityText({ unscaled: value, scale: 0, format: 'BinarySI' });
const count = (value: UInt64): string => quantityText({ unscaled: value, scale: 0, format: 'DecimalSI' });

/** The observations of a summary (upstream: makeSignalObservations). */
export function observationsOf({ node }: Summary): Observations {
  const pods = node.systemContainers?.find(({ name }) => name === PODS);
  const found: (readonly [Signal, Observation | undefined])[] = [
    ['memory.available', memory(node.memory)],
    ['allocatableMemory.available', memory(pods?.memory)],
    ['nodefs.available', disk(node.fs)],
    ['nodefs.inodesFree', inodes(node.fs)],
    ['imagefs.available', disk(node.runtime?.imageFs)],
    ['imagefs.inodesFree', inodes(node.runtime?.imageFs)],
    ['containerfs.available', disk(node.runtime?.containerFs)],
    ['containerfs.inodesFree', inodes(node.runtime?.containerFs)],
    ['pid.available', processes(node.rlimit)],
  ];
  return new Map(found.flatMap(([signal, one]) => (one === undefined ? [] : [[signal, one] as const])));
}

function memory(stats: MemoryStats | undefined): Observation | undefined {
  const { availableBytes, workingSetBytes, time } = stats ?? {};
  if (availableBytes === undefined || workingSetBytes === undefined) return undefined;
  return { available: bytes(availableBytes), capacity: bytes(availableBytes + workingSetBytes), time: timeOf(time) };
}

function disk(stats: FsStats | undefined): Observation | undefined {
  const { availableBytes, capacityBytes, time } = stats ?? {};
  if (availableBytes === undefined || capacityBytes === undefined) return undefined;
  return { available: bytes(availableBytes), capacity: bytes(capacityBytes), time: timeOf(time) };
}

/** A file system that does not count inodes has no observation of them. */
function inodes(stats: FsStats | undefined): Observation | undefined {
  const { inodesFree, inodes: all, time } = stats ?? {};
  if (inodesFree === undefined || all === undefined || all === 0n) return undefined;
  return { available: count(inodesFree), capacity: count(all), time: timeOf(time) };
}

function processes(rlimit: Summary['node']['rlimit']): Observation | undefined {
  const { maxpid, curproc, time } = rlimit ?? {};
  if (maxpid === undefined || curproc === undefined) return undefined;
  return { available: count(maxpid - curproc), capacity: count(maxpid), time: timeOf(time) };
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** The quantity of a threshold (upstream: GetThresholdQuantity). */
export const quantityOf = (value: ThresholdValue, capacity: string): string =>
  'quantity' in value ? value.quantity : bytes(BigInt(Math.trunc(Number(wholeValue(capacity)) * value.percentage)));

/** The thresholds that are met. With `minReclaim`, a threshold stays met until its value plus the minimum reclaim is available. */
export function thresholdsMet(
  thresholds: readonly Threshold[],
  observations: Observations,
  { minReclaim }: { readonly minReclaim: boolean },
): Threshold[] {
  return thresholds.filter((threshold) => {
    const observed = observations.get(threshold.signal);
    if (observed === undefined) return false;
    const least = quantityOf(threshold.value, observed.capacity);
    const reclaim = minReclaim && threshold.minReclaim !== undefined ? threshold.minReclaim : undefined;
    const wanted = reclaim === undefined ? least : sumOfQuantities(least, quantityOf(reclaim, observed.capacity));
    return compareQuantities(wanted, observed.available) > 0;
  });
}

/** The thresholds whose signal has a newer measurement than before. */
export const withNewStats = (
  thresholds: readonly Threshold[],
  observations: Observations,
  before: Observations,
): Threshold[] =>
  thresholds.filter(({ signal }) => {
    const observed = observations.get(signal);
    if (observed === undefined) return false;
    const last = before.get(signal)?.time;
    return last === undefined || observed.time === undefined || observed.time > last;
  });
