import { parseDuration } from '#lib/machinery/duration.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import { parseQuantity } from '#lib/machinery/resource/quantity.ts';
import { isSignal, type Signal } from './signals.ts';

/** A quantity, or a share of the capacity in single precision, like upstream. */
export type ThresholdValue = { readonly quantity: string } | { readonly percentage: number };

/** Pods are evicted when the signal stays below `value` for the grace period. Thresholds are compared by object identity. */
export interface Threshold {
  readonly signal: Signal;
  readonly value: ThresholdValue;
  /** Grace period in milliseconds, 0 for a hard threshold. */
  readonly gracePeriod: number;
  /** The amount above the value that must be reclaimed after the threshold was met. Absent for none. */
  readonly minReclaim?: ThresholdValue;
}

/** The settings for thresholds in the kubelet's configuration. */
export interface ThresholdConfig {
  readonly enforceNodeAllocatable: readonly string[];
  readonly evictionHard: Readonly<Record<string, string>>;
  readonly evictionSoft: Readonly<Record<string, string>>;
  readonly evictionSoftGracePeriod: Readonly<Record<string, string>>;
  readonly evictionMinimumReclaim: Readonly<Record<string, string>>;
}

/** Whether pods are evicted without a grace period. */
export const isHard = ({ gracePeriod }: Threshold): boolean => gracePeriod === 0;

/** The thresholds from a configuration. Throws Error with upstream's texts (upstream: ParseThresholdConfig). */
export function parseThresholdConfig(config: ThresholdConfig): Threshold[] {
  const hard = statements(config.evictionHard, parseValue).map(([signal, value]) => ({
    signal,
    value,
    gracePeriod: 0,
  }));
  const softValues = statements(config.evictionSoft, parseValue);
  const periods = new Map(statements(config.evictionSoftGracePeriod, parseGracePeriod));
  const reclaims = new Map(statements(config.evictionMinimumReclaim, parseMinimumReclaim));
  const soft = softValues.map(([signal, value]) => {
    const gracePeriod = periods.get(signal);
    if (gracePeriod === undefined)
      throw new Error(`grace period must be specified for the soft eviction threshold ${signal}`);
    return { signal, value, gracePeriod };
  });
  const all: Threshold[] = [...hard, ...soft].map((threshold) => {
    const minReclaim = reclaims.get(threshold.signal);
    return minReclaim === undefined ? threshold : { ...threshold, minReclaim };
  });
  return config.enforceNodeAllocatable.includes('pods') ? [...all, ...allocatable(all)] : all;
}

/** The memory of all pods together has the same threshold as the node's memory. */
const allocatable = (thresholds: readonly Threshold[]): Threshold[] =>
  thresholds
    .filter((threshold) => threshold.signal === 'memory.available' && isHard(threshold))
    .map((threshold) => ({ ...threshold, signal: 'allocatableMemory.available' }));

/** The entries of a setting, without ineffective ones. */
function statements<T>(
  setting: Readonly<Record<string, string>>,
  parse: (signal: Signal, text: string) => T | undefined,
): (readonly [Signal, T])[] {
  return Object.entries(setting).flatMap(([signal, text]) => {
    if (!isSignal(signal)) throw new Error(`unsupported eviction signal ${signal}`);
    const value = parse(signal, text);
    return value === undefined ? [] : [[signal, value] as const];
  });
}

function parseValue(signal: Signal, text: string): ThresholdValue | undefined {
  if (!text.endsWith('%')) {
    parseQuantity(text);
    if (signOf(text) > 0) return { quantity: text };
    throw new Error(`eviction threshold ${signal} must be positive: ${canonicalQuantity(text)}`);
  }
  if (text === '0%' || text === '100%') return undefined;
  const percentage = parsePercentage(text);
  if (percentage < 0) throw new Error(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
  if (percentage > 1) throw new Error(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
  return { percentage };
}

function parsePercentage(text: string): number {
  const number = text.replace(/%+$/, '');
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(number))
    throw new Error(`strconv.ParseFloat: parsing ${JSON.stringify(number)}: invalid syntax`);
  return Math.fround(Math.fround(Number(number)) / 100);
}

function parseGracePeriod(_: Signal, text: string): number {
  const milliseconds = Number(parseDuration(text)) / 1e6;
  if (milliseconds >= 0) return milliseconds;
  throw new Error(`invalid eviction grace period specified: ${text}, must be a positive value`);
}

function parseMinimumReclaim(signal: Signal, text: string): ThresholdValue {
  if (!text.endsWith('%')) {
    parseQuantity(text);
    if (signOf(text) >= 0) return { quantity: text };
    throw new Error(`negative eviction minimum reclaim specified for ${signal}`);
  }
  const percentage = parsePercentage(text);
  if (percentage > 0) return { percentage };
  throw new Error(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
}
