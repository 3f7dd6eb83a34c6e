import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';
import { type Addr, addrText, parseAddr, sameAddr } from './netip.ts';

/** Go's `netip.Prefix`: an address with its host bits, and the length of its network. */
export interface Prefix {
  readonly addr: Addr;
  readonly length: number;
}

const width = ({ family }: Addr): number => (family === 4 ? 32 : 128);

function parsePrefix(text: string): Prefix | Fault {
  const fault = (message: string): Fault => new Fault(`netip.ParsePrefix(${quote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fault("no '/'");
  const addr = parseAddr(text.slice(0, slash));
  if (addr instanceof Fault) return fault(addr.message);
  if (addr.zone !== '') return fault('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{1,18})$/.test(length)) return fault(`bad bits after slash: ${quote(length)}`);
  if (Number(length) > width(addr)) return fault('prefix length out of range');
  return { addr, length: Number(length) };
}

/** Parses a network like Kubernetes' functions: no IPv4 in IPv6 form. */
export function parseCIDR(text: string): Prefix | Fault {
  const prefix = parsePrefix(text);
  if (prefix instanceof Fault) {
    return new Fault(`network address parse error during conversion from string: ${prefix.message}`);
  }
  if (prefix.addr.family === 6 && prefix.addr.bits >> 32n === 0xffffn) {
    return new Fault(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  }
  return prefix;
}

/** The prefix in CIDR notation. */
export const prefixText = ({ addr, length }: Prefix): string => `${addrText(addr)}/${length}`;
/** Whether two prefixes are equal, including host bits. */
export const samePrefix = (a: Prefix, b: Prefix): boolean => a.length === b.length && sameAddr(a.addr, b.addr);

function networkOf(addr: Addr, length: number): bigint {
  const host = BigInt(width(addr) - length);
  return (addr.bits >> host) << host;
}

/** The prefix without host bits. */
export function masked({ addr, length }: Prefix): Prefix {
  return { addr: { ...addr, bits: networkOf(addr, length) }, length };
}

/** Whether the prefix contains an address of its family. */
export function containsAddr({ addr, length }: Prefix, other: Addr): boolean {
  return addr.family === other.family && networkOf(addr, length) === networkOf(other, length);
}

/** Whether one prefix contains another of its family. */
export function containsPrefix(outer: Prefix, inner: Prefix): boolean {
  return outer.length <= inner.length && containsAddr(outer, inner.addr);
}
