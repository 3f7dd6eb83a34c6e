import { addrOfBits, bitLength, bitsOf, type Family } from './addr.ts';
import { addrText } from './addr-text.ts';
import type { Prefix } from './prefix.ts';

/** The addresses of one family from `first` to `last`, both included, as numbers. */
export interface AddrRange {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}

/** The addresses of a network. */
export function rangeOf({ addr, length }: Prefix): AddrRange {
  const host = BigInt(bitLength(addr.family) - length);
  const first = (bitsOf(addr) >> host) << host;
  return { family: addr.family, first, last: first + (1n << host) - 1n };
}

/** The parts of a range that are in none of `holes`. */
export function without(range: AddrRange, holes: readonly AddrRange[]): AddrRange[] {
  const { family, last } = range;
  const parts: AddrRange[] = [];
  let { first } = range;
  for (const hole of merged(holes.filter((one) => one.family === family))) {
    if (hole.last < first || hole.first > last) continue;
    if (hole.first > first) parts.push({ family, first, last: hole.first - 1n });
    first = hole.last + 1n;
  }
  return first <= last ? [...parts, { family, first, last }] : parts;
}

/** The same addresses of one family in as few ranges as possible. The result is sorted, and no two ranges overlap or touch. */
export function merged(ranges: readonly AddrRange[]): AddrRange[] {
  const parts: AddrRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const end = parts.at(-1);
    if (end === undefined || range.first > end.last + 1n) parts.push(range);
    else parts[parts.length - 1] = { ...end, last: range.last > end.last ? range.last : end.last };
  }
  return parts;
}

/** The range in nftables interval syntax: `10.0.0.0-10.0.0.255`, or one address. */
export function rangeText({ family, first, last }: AddrRange): string {
  const [from, to] = [first, last].map((bits) => addrText(addrOfBits(family, bits)));
  return first === last ? `${from}` : `${from}-${to}`;
}
