import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { addressText, networkText, parseCIDR } from '#lib/machinery/validation/ip.ts';

/** Upstream's warnings about networks that are accepted but not canonical. */
export function cidrWarnings(value: string, path: FieldPath): string[] {
  const prefix = parseCIDR(value);
  if (prefix === undefined) return [];
  const network = networkText(prefix);
  const { address } = prefix;
  const warnings: string[] = [];
  const single = `${addressText(address)}/${address.bytes.length * 8}`;
  if (network !== `${addressText(address)}/${prefix.length}`) {
    warnings.push(
      `${path}: CIDR value "${value}" is ambiguous in this context (should be "${network}" or "${single}"?)`,
    );
  }
  if (prefix.leadingZeros || address.leadingZeros || address.mapped) {
    warnings.push(`${path}: non-standard CIDR value "${value}" is invalid: use "${network}"`);
  }
  if (warnings.length === 0 && address.bytes.length === 16 && network !== value) {
    warnings.push(`${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${network}")`);
  }
  return warnings;
}
