import { Fault } from '#lib/machinery/fault.ts';
import { isMapped } from '#lib/machinery/net/addr.ts';
import { canonicalIP, parseAddr } from '#lib/machinery/net/parse-addr.ts';
import type { FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import { isValidIPForLegacyField } from '#lib/machinery/validation/ip.ts';

/** Validates an address in a legacy field, which may be non-canonical. Accepts any address in `stored`. */
export function validateLegacyIP(value: string, path: FieldPath, stored: readonly string[] = []): FieldError[] {
  return stored.includes(value) ? [] : isValidIPForLegacyField(path, value, true);
}

/** Upstream's warnings about addresses that are accepted but not canonical. */
export function ipWarnings(value: string, path: FieldPath): string[] {
  const canonical = canonicalIP(value);
  if (canonical === undefined) return [];
  const addr = parseAddr(value);
  if (addr instanceof Fault || isMapped(addr)) {
    return [`${path}: non-standard IP address "${value}" is invalid: use "${canonical}"`];
  }
  if (canonical === value) return [];
  return [`${path}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`];
}
