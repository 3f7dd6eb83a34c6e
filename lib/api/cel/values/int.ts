import { MAX_INT64, MAX_UINT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { CelError, type Result, Uint } from './value.ts';

/** The error of a result that exceeds a signed 64-bit integer. */
export const intOverflow: CelError = new CelError('integer overflow');
/** The error of a result that is negative or exceeds 64 bits. */
export const uintOverflow: CelError = new CelError('unsigned integer overflow');

/** Returns an int, or the overflow error. */
export function int(value: bigint): bigint | CelError {
  return value > MAX_INT64 || value < MIN_INT64 ? intOverflow : value;
}

/** Returns a uint, or the overflow error. */
export function uint(value: bigint): Result {
  return value > MAX_UINT64 || value < 0n ? uintOverflow : new Uint(value);
}

const small: readonly bigint[] = Array.from({ length: 1024 }, (_, i) => BigInt(i));

/** Returns the int of a JavaScript integer. Small ones are cached. */
export function intOf(value: number): bigint {
  return small[value] ?? BigInt(value);
}
