import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { addressText, isValidIPForLegacyField, parseIP } from '#lib/machinery/validation/ip.ts';

/** Validates an address in a legacy field, which may be non-canonical. Accepts any address in `stored`. */
export function validateLegacyIP(value: string, path: FieldPath, stored: readonly string[] = []): FieldError[] {
  return stored.includes(value) ? [] : isValidIPForLegacyField(path, value, true);
}

/** 4 or 6. Undefined if the text is not an address. */
export function ipFamily(value: string): 4 | 6 | undefined {
  const address = parseIP(value);
  if (address === undefined) return undefined;
  return address.bytes.length === 4 ? 4 : 6;
}

/** The address in Go's format: RFC 5952 without leading zeros. Undefined if the text is not an address. */
export function canonicalIP(value: string): string | undefined {
  const address = parseIP(value);
  return address === undefined ? undefined : addressText(address);
}

/** Upstream's warnings about addresses that are accepted but not canonical. */
export function ipWarnings(value: string, path: FieldPath): string[] {
  const address = parseIP(value);
  if (address === undefined) return [];
  const canonical = addressText(address);
  if (address.mapped || address.leadingZeros) {
    return [`${path}: non-standard IP address "${value}" is invalid: use "${canonical}"`];
  }
  if (canonical === value) return [];
  return [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}
