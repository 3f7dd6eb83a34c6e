import { CelError, type Result, Uint } from './value.ts';

/** The error of a result beyond 64 bits with sign. */
export const intOverflow: CelError = new CelError('integer overflow');
/** The error of a result below zero or beyond 64 bits. */
export const uintOverflow: CelError = new CelError('unsigned integer overflow');

const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);
const maxUint = 2n ** 64n - 1n;

/** An int, or the error of what does not fit. */
export function int(value: bigint): bigint | CelError {
  return value > maxInt || value < minInt ? intOverflow : value;
}

/** A uint, or the error of what does not fit. */
export function uint(value: bigint): Result {
  return value > maxUint || value < 0n ? uintOverflow : new Uint(value);
}

const small: readonly bigint[] = Array.from({ length: 1024 }, (_, i) => BigInt(i));

/** The int of a JavaScript integer; small ones are made once. */
export function intOf(value: number): bigint {
  return small[value] ?? BigInt(value);
}
