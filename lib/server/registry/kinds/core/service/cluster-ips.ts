import type { Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateLegacyIP } from '../../shared/ip.ts';
import { repeatedAt } from '../../shared/repeats.ts';
import { isHeadless, typeOf } from './shape.ts';

const SPEC = FieldPath.of('spec');
const IPS = SPEC.child('clusterIPs');
const FAMILIES = SPEC.child('ipFamilies');
const POLICY = SPEC.child('ipFamilyPolicy');
const SUPPORTED_FAMILIES = ['IPv4', 'IPv6'];
const POLICIES = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const NEVER_CHANGES = 'may not change once set';

/** Upstream's ValidateServiceClusterIPsRelatedFields: addresses, families and policy must match. */
export function validateClusterIPs(service: Service, old?: Service): FieldError[] {
  if (typeOf(service) === 'ExternalName') return [];
  const spec = service.spec;
  const ips = spec.clusterIPs ?? [];
  const families = spec.ipFamilies ?? [];
  const stored = old === undefined ? [] : (old.spec.clusterIPs ?? []);
  const addresses = addressErrors(ips, stored);
  const errors = [
    ...firstIP(spec.clusterIP ?? '', ips),
    ...familyErrors(families),
    ...policyErrors(spec),
    ...addresses,
    ...(ips.length > 2 ? [invalid(IPS, ips, 'may only hold up to 2 values')] : []),
  ];
  // An invalid address would make later errors misleading.
  if (addresses.length > 0) return errors;
  return [...errors, ...dualStack(ips), ...(isHeadless(service) ? [] : ofFamilies(ips, families))];
}

function firstIP(first: string, ips: readonly string[]): FieldError[] {
  if (first === '') {
    return ips.length === 0 ? [] : [invalid(IPS, ips, 'must be empty when `clusterIP` is not specified')];
  }
  if (ips.length === 0) return [required(IPS)];
  return ips[0] === first ? [] : [invalid(IPS, ips, 'first value must match `clusterIP`')];
}

function familyErrors(families: readonly string[]): FieldError[] {
  const again = new Set(repeatedAt(families));
  return families.flatMap((family, i) => [
    ...(SUPPORTED_FAMILIES.includes(family) ? [] : [notSupported(FAMILIES.index(i), family, SUPPORTED_FAMILIES)]),
    ...(again.has(i) ? [duplicate(FAMILIES.index(i), family)] : []),
  ]);
}

function policyErrors(spec: ServiceSpec): FieldError[] {
  const { ipFamilyPolicy: policy } = spec;
  if (policy === undefined || POLICIES.includes(policy)) return [];
  return [notSupported(POLICY, policy, POLICIES)];
}

function addressErrors(ips: readonly string[], stored: readonly string[]): FieldError[] {
  return ips.flatMap((ip, i) => {
    if (i > 0 || ip !== 'None') return validateLegacyIP(ip, IPS.index(i), stored);
    return ips.length > 1 ? [invalid(IPS, ips, "'None' must be the first and only value")] : [];
  });
}

function dualStack(ips: readonly string[]): FieldError[] {
  if (ips.length < 2 || new Set(ips.map(ipFamily)).size > 1) return [];
  return [invalid(IPS, ips, 'may specify no more than one IP for each IP family')];
}

function ofFamilies(ips: readonly string[], families: readonly string[]): FieldError[] {
  return ips.slice(0, families.length).flatMap((ip, i) => {
    const family = families[i] as string;
    const six = ipFamily(ip) === 6;
    if (!SUPPORTED_FAMILIES.includes(family) || (family === 'IPv6') === six) return [];
    return [invalid(IPS.index(i), ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``)];
  });
}

/** Upstream's rules for changes: a secondary address or family can be added and removed, but the primary one is immutable. */
export function validateClusterIPsUpdate(service: Service, old: Service): FieldError[] {
  if (typeOf(service) === 'ExternalName' || typeOf(old) === 'ExternalName') return [];
  const [headless, wasHeadless] = [isHeadless(service), isHeadless(old)];
  const ips = headless && wasHeadless ? [] : ipChanges(service.spec, old.spec);
  const families = headless || wasHeadless ? [] : familyChanges(service.spec, old.spec);
  return [...ips, ...families];
}

function ipChanges(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const [now, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const first = IPS.index(0);
  if (now.length === before.length) {
    return before.flatMap((ip, i) => (ip === now[i] ? [] : [invalid(IPS.index(i), now, NEVER_CHANGES)]));
  }
  const changed = now.length > 0 && before.length > 0 && now[0] !== before[0];
  const errors = changed ? [invalid(first, now, NEVER_CHANGES)] : [];
  if (now.length > before.length) return errors;
  if (now.length === 0) return [invalid(first, now, 'primary clusterIP can not be unset')];
  return [...errors, ...(now.length === 1 ? released(spec, 'clusterIP') : [])];
}

function familyChanges(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const [now, before] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const ips = spec.clusterIPs ?? [];
  const first = FAMILIES.index(0);
  if (now.length === before.length) {
    return before.flatMap((family, i) => (family === now[i] ? [] : [invalid(first, now, NEVER_CHANGES)]));
  }
  const changed = now.length > 0 && before.length > 0 && now[0] !== before[0];
  const errors = changed ? [invalid(first, ips, NEVER_CHANGES)] : [];
  if (now.length > before.length) return errors;
  const unset = ips.length === 0 ? [invalid(first, now, 'primary ipFamily can not be unset')] : [];
  return [...unset, ...errors, ...(now.length === 1 ? released(spec, 'ipFamily') : [])];
}

function released(spec: ServiceSpec, what: string): FieldError[] {
  const policy = spec.ipFamilyPolicy ?? null;
  if (policy === 'SingleStack') return [];
  return [invalid(POLICY, policy, `must be set to 'SingleStack' when releasing the secondary ${what}`)];
}
