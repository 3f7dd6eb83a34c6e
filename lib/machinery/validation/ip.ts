import { quote } from '../go.ts';
import { type FieldError, type FieldPath, invalid } from './field.ts';

/** An address of 4 or 16 bytes. */
export interface Address {
  readonly bytes: readonly number[];
  /** Whether it is an IPv4 address in IPv6 notation: `::ffff:1.2.3.4`. */
  readonly mapped: boolean;
  /** Whether a decimal number has leading zeros, which only old objects may have. */
  readonly leadingZeros: boolean;
}
/** A CIDR block: an address and its prefix length in bits. */
export interface Prefix {
  readonly address: Address;
  readonly length: number;
  readonly leadingZeros: boolean;
}

/** Parses an IPv4 or IPv6 address like upstream's sloppy parser, which reads numbers with leading zeros as decimal. */
export function parseIP(text: string): Address | undefined {
  if (text.length > 64) return undefined;
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

function parseIPv4(text: string): Address | undefined {
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(text)) return undefined;
  const parts = text.split('.');
  const bytes = parts.map(Number);
  if (bytes.some((byte) => byte > 255)) return undefined;
  return { bytes, mapped: false, leadingZeros: parts.some((part) => /^0\d/.test(part)) };
}

function parseIPv6(text: string): Address | undefined {
  const tail = /:([^:]*\.[^:]*)$/.exec(text)?.[1];
  const four = tail === undefined ? undefined : parseIPv4(tail);
  if (tail !== undefined && four === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = four?.bytes ?? [];
  const hex =
    four === undefined
      ? text
      : `${text.slice(0, -(tail as string).length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  const groups = expandGroups(hex);
  if (groups === undefined) return undefined;
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]);
  return { bytes: mapped ? bytes.slice(12) : bytes, mapped, leadingZeros: four?.leadingZeros ?? false };
}

function expandGroups(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const parts = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (parts.flat().some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const [head = [], tail = []] = parts;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  return [...head, ...Array.from({ length: missing }, () => '0'), ...tail].map((group) => Number.parseInt(group, 16));
}

/** Go's text form of an address: RFC 5952. */
export function addressText({ bytes }: Pick<Address, 'bytes'>): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[i * 2] as number) << 8) | (bytes[i * 2 + 1] as number)).toString(16),
  );
  const text = groups.join(':');
  const runs = [...text.matchAll(/\b0(?::0\b)+/g)].sort((a, b) => b[0].length - a[0].length || a.index - b.index);
  const [run] = runs;
  if (run === undefined) return text;
  return `${text.slice(0, run.index).replace(/:$/, '')}::${text.slice(run.index + run[0].length).replace(/^:/, '')}`;
}

/** Parses `address/length`, sloppily. */
export function parseCIDR(text: string): Prefix | undefined {
  const slash = text.indexOf('/');
  const address = parseIP(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  if (slash < 0 || address === undefined || !/^\d{1,9}$/.test(digits)) return undefined;
  const length = Number(digits) - (address.mapped ? 96 : 0);
  if (length < 0 || length > address.bytes.length * 8) return undefined;
  return { address, length, leadingZeros: /^0\d/.test(digits) };
}

const masked = ({ address, length }: Prefix): number[] =>
  address.bytes.map((byte, i) => byte & (0xff00 >> Math.min(Math.max(length - i * 8, 0), 8)) & 0xff);

/** Go's text form of a prefix's network. */
export const networkText = (prefix: Prefix): string => `${addressText({ bytes: masked(prefix) })}/${prefix.length}`;

const NOT_AN_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NOT_A_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** Checks for an address in canonical form, as new fields require. */
export function isValidIP(path: FieldPath, value: string): FieldError[] {
  const errors = isValidIPForLegacyField(path, value, true);
  const address = parseIP(value);
  if (errors.length > 0 || address === undefined) return errors;
  return canonical(path, value, addressText(address));
}

const canonical = (path: FieldPath, value: string, text: string): FieldError[] =>
  value === text ? [] : [invalid(path, value, `must be in canonical form (${quote(text)})`)];

/** Checks for an address in any form that old fields accept. With `strict`, rejects leading zeros and mapped addresses. */
export function isValidIPForLegacyField(path: FieldPath, value: string, strict: boolean): FieldError[] {
  const address = parseIP(value);
  if (address === undefined) return [invalid(path, value, NOT_AN_IP)];
  if (!strict) return [];
  return [
    ...(address.leadingZeros ? [invalid(path, value, 'must not have leading 0s')] : []),
    ...(address.mapped && !address.leadingZeros
      ? [invalid(path, value, 'must not be an IPv4-mapped IPv6 address')]
      : []),
  ];
}

/** Checks for a network in canonical form, as new fields require. */
export function isValidCIDR(path: FieldPath, value: string): FieldError[] {
  const errors = isValidCIDRForLegacyField(path, value, true);
  const prefix = parseCIDR(value);
  if (errors.length > 0 || prefix === undefined) return errors;
  return canonical(path, value, networkText(prefix));
}

/**
 * Checks for a network in any form that old fields accept. With `strict`, rejects leading zeros, mapped addresses and bits after the
 * prefix.
 */
export function isValidCIDRForLegacyField(path: FieldPath, value: string, strict: boolean): FieldError[] {
  const prefix = parseCIDR(value);
  if (prefix === undefined) return [invalid(path, value, NOT_A_CIDR)];
  if (!strict) return [];
  if (prefix.leadingZeros || prefix.address.leadingZeros) {
    return [invalid(path, value, 'must not have leading 0s in IP or prefix length')];
  }
  if (prefix.address.mapped) return [invalid(path, value, 'must not have an IPv4-mapped IPv6 address')];
  if (masked(prefix).some((byte, i) => byte !== prefix.address.bytes[i])) {
    return [invalid(path, value, 'must not have bits set beyond the prefix length')];
  }
  return [];
}
