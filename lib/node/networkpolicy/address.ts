import { bitsOf, type Family } from '#lib/machinery/net/addr.ts';
import { addrText } from '#lib/machinery/net/addr-text.ts';
import { parseIPSloppy } from '#lib/machinery/net/parse-addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { type AddrRange, rangeOf } from '#lib/machinery/net/range.ts';

/** An address, prepared for comparison with ranges. */
export interface IpAddress {
  readonly family: Family;
  readonly bits: bigint;
  /** The canonical text. */
  readonly text: string;
}

/** Parses an address. Undefined for invalid text. An IPv4-mapped IPv6 address becomes IPv4. */
export function ipAddress(text: string): IpAddress | undefined {
  const addr = parseIPSloppy(text);
  return addr && { family: addr.family, bits: bitsOf(addr), text: addrText(addr) };
}

/** The addresses of a network in CIDR notation. Undefined for invalid text. Host bits are ignored. */
export function networkRange(cidr: string): AddrRange | undefined {
  const prefix = parseCIDRSloppy(cidr);
  return prefix && rangeOf(prefix);
}

/** Whether a range contains the address. */
export const contains = (range: AddrRange, { family, bits }: IpAddress): boolean =>
  range.family === family && range.first <= bits && bits <= range.last;
