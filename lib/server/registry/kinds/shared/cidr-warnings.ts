import { Fault } from '#lib/machinery/fault.ts';
import { isMapped } from '#lib/machinery/net/addr.ts';
import { parseCIDRSloppy, parsePrefix } from '#lib/machinery/net/parse-prefix.ts';
import { networkText, prefixText, singlePrefix } from '#lib/machinery/net/prefix.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

/** Upstream's warnings about networks that are accepted but not canonical. */
export function cidrWarnings(value: string, path: FieldPath): string[] {
  const prefix = parseCIDRSloppy(value);
  if (prefix === undefined) return [];
  const network = networkText(prefix);
  const warnings: string[] = [];
  if (network !== prefixText(prefix)) {
    const single = prefixText(singlePrefix(prefix.addr));
    warnings.push(
      `${path}: CIDR value "${value}" is ambiguous in this context (should be "${network}" or "${single}"?)`,
    );
  }
  const strict = parsePrefix(value);
  if (strict instanceof Fault || isMapped(strict.addr)) {
    warnings.push(`${path}: non-standard CIDR value "${value}" is invalid: use "${network}"`);
  }
  if (warnings.length === 0 && prefix.addr.family === 6 && network !== value) {
    warnings.push(`${path}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${network}")`);
  }
  return warnings;
}
