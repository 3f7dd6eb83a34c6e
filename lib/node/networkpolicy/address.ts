import { addressText, parseCIDR, parseIP } from '#lib/machinery/validation/ip.ts';

/** An address family. */
export type Family = 4 | 6;
/** The families, in their order in tables and texts. */
export const FAMILIES = [4, 6] as const;

/** The addresses of one family from `first` to `last`, both included. */
export interface AddressRange {
  readonly family: Family;
  readonly first: bigint;
  readonly last: bigint;
}

/** An address as a range of one, with its canonical text. */
export interface IpAddress extends AddressRange {
  readonly text: string;
}

const familyOf = (bytes: readonly number[]): Family => (bytes.length === 4 ? 4 : 6);
const bitsOf = (bytes: readonly number[]): bigint => bytes.reduce((bits, byte) => (bits << 8n) | BigInt(byte), 0n);

/** Parses an address. Undefined for invalid text. An IPv4-mapped IPv6 address becomes IPv4. */
export function ipAddress(text: string): IpAddress | undefined {
  const address = parseIP(text);
  if (address === undefined) return undefined;
  const bits = bitsOf(address.bytes);
  return { family: familyOf(address.bytes), first: bits, last: bits, text: addressText(address) };
}

/** The addresses of a network in CIDR notation. Undefined for invalid text. Host bits are ignored. */
export function networkRange(cidr: string): AddressRange | undefined {
  const prefix = parseCIDR(cidr);
  if (prefix === undefined) return undefined;
  const { bytes } = prefix.address;
  const host = BigInt(bytes.length * 8 - prefix.length);
  const first = (bitsOf(bytes) >> host) << host;
  return { family: familyOf(bytes), first, last: first + (1n << host) - 1n };
}

/** Whether a range contains the address. */
export const contains = (range: AddressRange, { family, first }: IpAddress): boolean =>
  range.family === family && range.first <= first && first <= range.last;

/** The parts of a range that are in none of `holes`. */
export function without(range: AddressRange, holes: readonly AddressRange[]): AddressRange[] {
  const { family, last } = range;
  const parts: AddressRange[] = [];
  let { first } = range;
  for (const hole of merged(holes.filter((one) => one.family === family))) {
    if (hole.last < first || hole.first > last) continue;
    if (hole.first > first) parts.push({ family, first, last: hole.first - 1n });
    first = hole.last + 1n;
  }
  return first <= last ? [...parts, { family, first, last }] : parts;
}

/** The same addresses of one family as few ranges as possible: sorted, and neither overlapping nor adjacent. */
export function merged(ranges: readonly AddressRange[]): AddressRange[] {
  const parts: AddressRange[] = [];
  for (const range of [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const end = parts.at(-1);
    if (end === undefined || range.first > end.last + 1n) parts.push(range);
    else parts[parts.length - 1] = { ...end, last: range.last > end.last ? range.last : end.last };
  }
  return parts;
}

function textOf(bits: bigint, family: Family): string {
  const length = family === 4 ? 4 : 16;
  return addressText({
    bytes: Array.from({ length }, (_, i) => Number((bits >> BigInt((length - 1 - i) * 8)) & 0xffn)),
  });
}

/** The range in nftables interval syntax: `10.0.0.0-10.0.0.255`, or one address. */
export function rangeText({ family, first, last }: AddressRange): string {
  return first === last ? textOf(first, family) : `${textOf(first, family)}-${textOf(last, family)}`;
}
