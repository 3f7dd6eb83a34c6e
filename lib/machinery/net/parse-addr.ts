// Go has two grammars. Neither node:net, which lib does not import, nor an npm package for IP addresses has Go's rules for leading zeros
// and zones or its error texts.
import { Fault } from '../fault.ts';
import { quote } from '../go.ts';
import { type Addr, addrOf, type Family, unmapped } from './addr.ts';
import { addrText } from './addr-text.ts';
import { type Grammar, scanIPv4, scanIPv6 } from './scan.ts';

const NO_ADDRESS = new Fault('invalid IP address');
/** The fault has no details, because callers only check whether parsing failed. */
const SLOPPY: Grammar = { leadingZeros: true, fail: () => NO_ADDRESS };

const strict = (text: string): Grammar => ({
  leadingZeros: false,
  fail: (message, at = '') =>
    new Fault(`ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`),
});

/** Go's netip.ParseAddr, with its error texts. Numbers have no leading zeros. An IPv6 address may have a zone. */
export function parseAddr(text: string): Addr | Fault {
  const grammar = strict(text);
  const first = /[.:%]/.exec(text)?.[0];
  if (first === undefined) return grammar.fail('unable to parse IP');
  if (first === '%') return grammar.fail('missing IPv6 address');
  if (first === '.') return ofBytes(scanIPv4(text, grammar));
  const percent = text.indexOf('%');
  if (percent === text.length - 1) return grammar.fail('zone must be a non-empty string');
  const addr = ofBytes(scanIPv6(percent < 0 ? text : text.slice(0, percent), grammar));
  return percent < 0 || addr instanceof Fault ? addr : { ...addr, zone: text.slice(percent + 1) };
}

/** The family of a text that netip.ParseAddr accepts. Undefined for any other text. */
export function addrFamily(text: string): Family | undefined {
  const addr = parseAddr(text);
  return addr instanceof Fault ? undefined : addr.family;
}

/** Whether netip.ParseAddr accepts the text. */
export const isAddr = (text: string): boolean => addrFamily(text) !== undefined;

/** Go's net.ParseIP: neither leading zeros nor zones. An IPv4-mapped address becomes IPv4. */
export function parseIP(text: string): Addr | undefined {
  const addr = parseAddr(text);
  return addr instanceof Fault || addr.zone !== '' ? undefined : unmapped(addr);
}

/** Like `parseIPSloppy`, but an IPv4-mapped address stays IPv6. */
export function parseAddrSloppy(text: string): Addr | undefined {
  const first = /[.:]/.exec(text)?.[0];
  if (first === undefined) return undefined;
  const addr = ofBytes(first === '.' ? scanIPv4(text, SLOPPY) : scanIPv6(text, SLOPPY));
  return addr instanceof Fault ? undefined : addr;
}

/**
 * Upstream's netutils.ParseIPSloppy, for fields of the API: net.ParseIP as it was until Go 1.16, which ignores leading zeros. An IPv4-mapped
 * address becomes IPv4.
 */
export function parseIPSloppy(text: string): Addr | undefined {
  const addr = parseAddrSloppy(text);
  return addr && unmapped(addr);
}

/** The address in Go's form. Undefined if ParseIPSloppy rejects the text. */
export function canonicalIP(text: string): string | undefined {
  const addr = parseIPSloppy(text);
  return addr && addrText(addr);
}

/** Upstream's netutils.IPFamilyOfString: undefined if the text is not an address. */
export const ipFamily = (text: string): Family | undefined => parseIPSloppy(text)?.family;

const ofBytes = (bytes: number[] | Fault): Addr | Fault => (bytes instanceof Fault ? bytes : addrOf(bytes));
