import { Fault } from '../fault.ts';
import { quote } from '../go.ts';
import { type Addr, bitLength, isMapped, unmapped } from './addr.ts';
import { parseAddr, parseAddrSloppy } from './parse-addr.ts';
import type { Prefix } from './prefix.ts';

/** Go's netip.ParsePrefix, with its error texts. Numbers have no leading zeros. Host bits are kept. */
export function parsePrefix(text: string): Prefix | Fault {
  const fault = (message: string): Fault => new Fault(`netip.ParsePrefix(${quote(text)}): ${message}`);
  const slash = text.lastIndexOf('/');
  if (slash < 0) return fault("no '/'");
  const addr = parseAddr(text.slice(0, slash));
  if (addr instanceof Fault) return fault(addr.message);
  if (addr.zone !== '') return fault('IPv6 zones cannot be present in a prefix');
  const length = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]{1,18})$/.test(length)) return fault(`bad bits after slash: ${quote(length)}`);
  if (Number(length) > bitLength(addr.family)) return fault('prefix length out of range');
  return { addr, length: Number(length) };
}

/** Parses a prefix that is hard-coded in the program. Throws TypeError if it is invalid. */
export function mustParsePrefix(text: string): Prefix {
  const prefix = parsePrefix(text);
  if (prefix instanceof Fault) throw new TypeError(prefix.message);
  return prefix;
}

/** Go's net.ParseCIDR: the address has neither leading zeros nor a zone, but the length may have leading zeros. Host bits are kept. */
export function parseCIDR(text: string): Prefix | undefined {
  return parseWith(text, (address) => {
    const addr = parseAddr(address);
    return addr instanceof Fault || addr.zone !== '' ? undefined : addr;
  });
}

/** Upstream's netutils.ParseCIDRSloppy, for fields of the API: leading zeros are ignored. Host bits are kept. */
export const parseCIDRSloppy = (text: string): Prefix | undefined => parseWith(text, parseAddrSloppy);

/** Converts a network of IPv4-mapped addresses to IPv4, like the methods of Go's net.IPNet. */
function parseWith(text: string, parse: (address: string) => Addr | undefined): Prefix | undefined {
  const slash = text.indexOf('/');
  const addr = slash < 0 ? undefined : parse(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (addr === undefined || !/^\d+$/.test(digits)) return undefined;
  const length = Number(digits);
  if (length > bitLength(addr.family)) return undefined;
  return isMapped(addr) && length >= 96 ? { addr: unmapped(addr), length: length - 96 } : { addr, length };
}
