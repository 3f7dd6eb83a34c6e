import { Fault } from '../fault.ts';
import { quote } from '../go.ts';
import { isMapped, sameAddr } from '../net/addr.ts';
import { canonicalIP, parseAddr } from '../net/parse-addr.ts';
import { parseCIDRSloppy, parsePrefix } from '../net/parse-prefix.ts';
import { masked, networkText } from '../net/prefix.ts';
import { type FieldError, type FieldPath, invalid } from './field.ts';

const NOT_AN_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const NOT_A_CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

const canonical = (path: FieldPath, value: string, text: string): FieldError[] =>
  value === text ? [] : [invalid(path, value, `must be in canonical form (${quote(text)})`)];

/** Checks for an address in canonical form, the form that newer API fields require. */
export function isValidIP(path: FieldPath, value: string): FieldError[] {
  const errors = isValidIPForLegacyField(path, value, true);
  const text = canonicalIP(value);
  return errors.length > 0 || text === undefined ? errors : canonical(path, value, text);
}

/** Checks for an address in any form that legacy fields accept. With `strict`, rejects leading zeros and mapped addresses. */
export function isValidIPForLegacyField(path: FieldPath, value: string, strict: boolean): FieldError[] {
  if (canonicalIP(value) === undefined) return [invalid(path, value, NOT_AN_IP)];
  if (!strict) return [];
  const addr = parseAddr(value);
  if (addr instanceof Fault) return [invalid(path, value, 'must not have leading 0s')];
  return isMapped(addr) ? [invalid(path, value, 'must not be an IPv4-mapped IPv6 address')] : [];
}

/** Checks for a network in canonical form, the form that newer API fields require. */
export function isValidCIDR(path: FieldPath, value: string): FieldError[] {
  const errors = isValidCIDRForLegacyField(path, value, true);
  const prefix = parseCIDRSloppy(value);
  return errors.length > 0 || prefix === undefined ? errors : canonical(path, value, networkText(prefix));
}

/**
 * Checks for a network in any form that legacy fields accept. With `strict`, rejects leading zeros, mapped addresses and bits after the
 * prefix.
 */
export function isValidCIDRForLegacyField(path: FieldPath, value: string, strict: boolean): FieldError[] {
  if (parseCIDRSloppy(value) === undefined) return [invalid(path, value, NOT_A_CIDR)];
  if (!strict) return [];
  const prefix = parsePrefix(value);
  if (prefix instanceof Fault) return [invalid(path, value, 'must not have leading 0s in IP or prefix length')];
  if (isMapped(prefix.addr)) return [invalid(path, value, 'must not have an IPv4-mapped IPv6 address')];
  if (!sameAddr(masked(prefix).addr, prefix.addr)) {
    return [invalid(path, value, 'must not have bits set beyond the prefix length')];
  }
  return [];
}
