import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { canonicalIP, isLenientIPv4, parseIPv4, parseIPv6 } from './ip-parse.ts';

const NOT_AN_IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const LEADING_ZEROS = 'must not have leading 0s';
const MAPPED = 'must not be an IPv4-mapped IPv6 address';

/** An address of a field that was checked loosely once: need not be canonical. Addresses in `stored` are accepted as they are. */
export function validateLegacyIP(value: string, path: FieldPath, stored: readonly string[] = []): FieldError[] {
  if (stored.includes(value) || parseIPv4(value) !== undefined) return [];
  const groups = parseIPv6(value);
  if (groups !== undefined) return isMapped(groups) ? [invalid(path, value, MAPPED)] : [];
  return [invalid(path, value, isLenientIPv4(value) ? LEADING_ZEROS : NOT_AN_IP)];
}

/** The first five groups are zero and the sixth is all ones: an IPv4 address as IPv6 writes it. */
function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** 4 or 6; undefined where the text is no address. */
export function ipFamily(value: string): 4 | 6 | undefined {
  const groups = parseIPv6(value);
  if (groups !== undefined) return isMapped(groups) ? 4 : 6;
  return isLenientIPv4(value) ? 4 : undefined;
}

/** Upstream's warnings for addresses that are accepted but not canonical. */
export function ipWarnings(value: string, path: FieldPath): string[] {
  if (parseIPv4(value) !== undefined) return [];
  const groups = parseIPv6(value);
  if (groups === undefined && !isLenientIPv4(value)) return [];
  const canonical = canonicalIP(value) as string;
  if (groups === undefined || isMapped(groups)) {
    return [`${path}: non-standard IP address "${value}" is invalid: use "${canonical}"`];
  }
  if (canonical === value) return [];
  return [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}
