import { shownField } from '#lib/api/internal-form.ts';
import type { ServiceCIDR } from '#lib/api/types/networking.v1.ts';
import type { Family } from '#lib/machinery/net/addr.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isValidCIDR } from '#lib/machinery/validation/ip.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { keepField } from '../shared/status.ts';
import { each } from '../shared/validate.ts';

const CIDRS = FieldPath.of('spec', 'cidrs');

const cidrsOf = (range: ServiceCIDR): string[] => range.spec.cidrs ?? [];
const familyOf = (cidr: string): Family | undefined => parseCIDRSloppy(cidr)?.addr.family;

/** A range has one network, or one per IP family. */
function validate(range: ServiceCIDR): FieldError[] {
  const cidrs = cidrsOf(range);
  if (cidrs.length === 0) return [required(CIDRS, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid(CIDRS, new Map([['CIDRs', cidrs]]), 'may only hold up to 2 values')];
  const [first = '', second] = cidrs;
  const same = second !== undefined && familyOf(first) !== undefined && familyOf(first) === familyOf(second);
  const twice = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [
    ...each(cidrs, CIDRS, (cidr, path) => isValidCIDR(path, cidr)),
    ...(same ? [invalid(CIDRS, cidrs, twice)] : []),
  ];
}

/** A second IP family may be added. Everything else is immutable. */
function validateUpdate(range: ServiceCIDR, old: ServiceCIDR): FieldError[] {
  const [now, before] = [cidrsOf(range), cidrsOf(old)];
  const changed = before.flatMap((cidr, i) =>
    cidr === now[i] ? [] : [invalid(CIDRS.index(i), now[i] ?? '', IMMUTABLE)],
  );
  if (now.length === before.length) return changed;
  if (before.length === 1 && now.length === 2) return [...changed, ...validate(range)];
  return [invalid(CIDRS, shownField('networking.v1.ServiceCIDRSpec', range.spec, 'cidrs'), IMMUTABLE)];
}

/** Upstream's pkg/registry/networking/servicecidr. Its status endpoint has no special rules. */
export const serviceCIDRStrategy: KindStrategy<ServiceCIDR> = {
  hasGeneration: false,
  prepareForCreate(range) {
    range.status = {};
  },
  prepareForUpdate: (range, old) => keepField(range, old, 'status'),
  validate,
  validateUpdate,
};
