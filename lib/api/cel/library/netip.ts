import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';

/** Go's `netip.Addr`: an address as a number of 32 or 128 bits. */
export interface Addr {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly zone: string;
}

const fault = (text: string, message: string, at = ''): Fault =>
  new Fault(`ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`);

/** Go's netip.ParseAddr. Unlike upstream's own parser, it rejects leading zeros. */
export function parseAddr(text: string): Addr | Fault {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === undefined) return fault(text, 'unable to parse IP');
  if (first === '%') return fault(text, 'missing IPv6 address');
  if (first === ':') return parseIPv6(text);
  const bits = parseOctets(text, text);
  return bits instanceof Fault ? bits : { family: 4, bits, zone: '' };
}

/** Parses four decimal fields. Errors name the whole text. */
function parseOctets(part: string, whole: string): bigint | Fault {
  let [bits, value, digits, dots] = [0n, 0, 0, 0];
  for (let i = 0; i < part.length; i++) {
    const c = part[i] as string;
    if (c >= '0' && c <= '9') {
      if (digits === 1 && value === 0) return fault(whole, 'IPv4 field has octet with leading zero');
      value = value * 10 + Number(c);
      digits++;
      if (value > 255) return fault(whole, 'IPv4 field has value >255');
      continue;
    }
    if (c !== '.') return fault(whole, 'unexpected character', part.slice(i));
    if (digits === 0 || i === part.length - 1) {
      return fault(whole, 'IPv4 field must have at least one digit', part.slice(i));
    }
    if (dots === 3) return fault(whole, 'IPv4 address too long');
    [bits, value, digits, dots] = [(bits << 8n) | BigInt(value), 0, 0, dots + 1];
  }
  if (dots < 3) return fault(whole, 'IPv4 address too short');
  return (bits << 8n) | BigInt(value);
}

interface Groups {
  /** Groups of sixteen bits. An embedded IPv4 address makes two. */
  readonly groups: bigint[];
  /** The number of groups before `::`; -1 without it. */
  ellipsis: number;
  rest: string;
}

function parseIPv6(text: string): Addr | Fault {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return fault(text, 'zone must be a non-empty string');
  const state: Groups = { groups: [], ellipsis: -1, rest: percent < 0 ? text : text.slice(0, percent) };
  if (state.rest.startsWith('::')) {
    state.ellipsis = 0;
    state.rest = state.rest.slice(2);
    if (state.rest === '') return { family: 6, bits: 0n, zone };
  }
  const wrong = readGroups(text, state);
  if (wrong !== undefined) return wrong;
  const groups = expanded(text, state);
  if (groups instanceof Fault) return groups;
  return { family: 6, bits: groups.reduce((bits, group) => (bits << 16n) | group, 0n), zone };
}

function readGroups(text: string, state: Groups): Fault | undefined {
  while (state.groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(state.rest)?.[0] ?? '';
    if (digits.length > 4) return fault(text, 'each group must have 4 or less digits', state.rest);
    if (digits === '') return fault(text, 'each colon-separated field must have at least one digit', state.rest);
    if (state.rest[digits.length] === '.') return readEmbedded(text, state);
    state.groups.push(BigInt(`0x${digits}`));
    state.rest = state.rest.slice(digits.length);
    if (state.rest === '') return undefined;
    const wrong = readColon(text, state);
    if (wrong !== undefined) return wrong;
    if (state.rest === '') return undefined;
  }
  return state.rest === '' ? undefined : fault(text, 'trailing garbage after address', state.rest);
}

function readColon(text: string, state: Groups): Fault | undefined {
  if (!state.rest.startsWith(':')) return fault(text, 'unexpected character, want colon', state.rest);
  if (state.rest.length === 1) return fault(text, 'colon must be followed by more characters', state.rest);
  state.rest = state.rest.slice(1);
  if (!state.rest.startsWith(':')) return undefined;
  if (state.ellipsis >= 0) return fault(text, 'multiple :: in address', state.rest);
  state.ellipsis = state.groups.length;
  state.rest = state.rest.slice(1);
  return undefined;
}

function readEmbedded(text: string, state: Groups): Fault | undefined {
  if (state.ellipsis < 0 && state.groups.length !== 6) {
    return fault(text, 'embedded IPv4 address must replace the final 2 fields of the address', state.rest);
  }
  if (state.groups.length > 6) {
    return fault(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', state.rest);
  }
  const bits = parseOctets(state.rest, text);
  if (bits instanceof Fault) return bits;
  state.groups.push(bits >> 16n, bits & 0xffffn);
  state.rest = '';
  return undefined;
}

function expanded(text: string, { groups, ellipsis }: Groups): bigint[] | Fault {
  const missing = 8 - groups.length;
  if (missing === 0) {
    return ellipsis < 0 ? groups : fault(text, 'the :: must expand to at least one field of zeros');
  }
  if (ellipsis < 0) return fault(text, 'address string too short');
  return [...groups.slice(0, ellipsis), ...Array<bigint>(missing).fill(0n), ...groups.slice(ellipsis)];
}

const isMapped = ({ family, bits }: Addr): boolean => family === 6 && bits >> 32n === 0xffffn;

/** Parses an address like Kubernetes' functions: neither zones nor IPv4 in IPv6 form. */
export function parseIP(text: string): Addr | Fault {
  const addr = parseAddr(text);
  if (addr instanceof Fault) {
    return new Fault(`IP Address ${quote(text)} parse error during conversion from string: ${addr.message}`);
  }
  if (addr.zone !== '') return new Fault(`IP address ${quote(text)} with zone value is not allowed`);
  if (isMapped(addr)) return new Fault(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return addr;
}

/** Returns the canonical text (RFC 5952). */
export function addrText(addr: Addr): string {
  if (addr.family === 4) return octets(addr.bits);
  const zone = addr.zone === '' ? '' : `%${addr.zone}`;
  if (isMapped(addr)) return `::ffff:${octets(addr.bits & 0xffffffffn)}${zone}`;
  const groups = Array.from({ length: 8 }, (_, i) => Number((addr.bits >> BigInt(112 - 16 * i)) & 0xffffn));
  const [start, length] = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':') + zone;
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}${zone}`;
}

const octets = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');

function longestZeros(groups: readonly number[]): [start: number, length: number] {
  let best: [number, number] = [0, 0];
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > best[1]) best = [i, end - i];
    i = Math.max(i, end - 1);
  }
  return best;
}

/** Whether two addresses are equal, including family and zone. */
export const sameAddr = (a: Addr, b: Addr): boolean => a.family === b.family && a.bits === b.bits && a.zone === b.zone;
/** Whether the address is 0.0.0.0 or ::. */
export const isUnspecified = ({ bits }: Addr): boolean => bits === 0n;
/** Whether the address is in 127.0.0.0/8, or is ::1. */
export const isLoopback = ({ family, bits }: Addr): boolean => (family === 4 ? bits >> 24n === 127n : bits === 1n);
/** Whether the address is in 169.254.0.0/16 or fe80::/10. */
export const isLinkLocalUnicast = ({ family, bits }: Addr): boolean =>
  family === 4 ? bits >> 16n === 0xa9fen : bits >> 118n === 0xfe80n >> 6n;
/** Whether the address is in 224.0.0.0/24, or is an IPv6 multicast address of link-local scope. */
export const isLinkLocalMulticast = ({ family, bits }: Addr): boolean =>
  family === 4 ? bits >> 8n === 0xe00000n : ((bits >> 112n) & 0xff0fn) === 0xff02n;
const isMulticast = ({ family, bits }: Addr): boolean => (family === 4 ? bits >> 28n === 0xen : bits >> 120n === 0xffn);

/** Go's IsGlobalUnicast: every unicast address that is not unspecified, loopback or link-local. */
export function isGlobalUnicast(addr: Addr): boolean {
  if (isUnspecified(addr) || (addr.family === 4 && addr.bits === 0xffffffffn)) return false;
  return !isLoopback(addr) && !isMulticast(addr) && !isLinkLocalUnicast(addr);
}
