import type { Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { ipFamily } from '#lib/machinery/net/parse-addr.ts';
import { type FieldError, FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { validateClusterIPs } from './cluster-ips.ts';
import { typeOf } from './shape.ts';

/** An IP family in the API's notation. */
export type IPFamily = 'IPv4' | 'IPv6';

const POLICY = FieldPath.of('spec', 'ipFamilyPolicy');
const otherFamily = (family: string): IPFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/**
 * Upstream's initIPFamilyFields: sets policy and families of a service before addresses are allocated. `families` are the cluster's,
 * default first. Returns errors, after which the service may be partly changed.
 */
export function initIPFamilies(
  service: Service,
  old: Service | undefined,
  families: readonly IPFamily[],
): FieldError[] {
  if (typeOf(service) === 'ExternalName' || staysPreferred(service, old)) return [];
  const spec = service.spec;
  setPolicy(spec, old);
  const wrong = validateClusterIPs(service, old);
  if (wrong.length > 0) return wrong;
  const errors = [...reduce(service, old), ...singleStack(spec), ...inferFamilies(spec, families)];
  if (errors.length > 0) return errors;
  return isFree(spec) ? completeFree(spec, families) : complete(spec, families);
}

type ListField = 'clusterIPs' | 'ipFamilies';

/** A PreferDualStack service keeps its families if the cluster adds or removes a family. */
function staysPreferred(service: Service, old: Service | undefined): boolean {
  if (old === undefined || typeOf(old) === 'ExternalName') return false;
  const [spec, before] = [service.spec, old.spec];
  const preferred = (one: ServiceSpec): boolean => (one.ipFamilyPolicy ?? '') === 'PreferDualStack';
  const same = (field: ListField): boolean => (spec[field] ?? []).join() === (before[field] ?? []).join();
  return preferred(spec) && preferred(before) && same('clusterIPs') && same('ipFamilies');
}

/** A headless service without a selector: the writer of its endpoints chooses the families. */
const isFree = (spec: ServiceSpec): boolean =>
  (spec.clusterIP ?? '') === 'None' && Object.keys(spec.selector ?? {}).length === 0;

function setPolicy(spec: ServiceSpec, old: Service | undefined): void {
  if (spec.ipFamilyPolicy !== undefined) return;
  const before = old?.spec.ipFamilyPolicy ?? '';
  spec.ipFamilyPolicy = before !== '' ? before : isFree(spec) ? 'RequireDualStack' : 'SingleStack';
}

const isSingle = (spec: ServiceSpec): boolean => (spec.ipFamilyPolicy ?? '') === 'SingleStack';

/** SingleStack removes the second value of a list that the client did not change. Otherwise fewer values are an error. */
function reduce(service: Service, old: Service | undefined): FieldError[] {
  if (old === undefined) return [];
  const [spec, before] = [service.spec, old.spec];
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    const [now, then] = [spec[field] ?? [], before[field] ?? []];
    if (isSingle(spec)) {
      if (now.length > 1 && now.join() === then.join()) spec[field] = now.slice(0, 1);
      return [];
    }
    if (now.length === 0 || now.length >= then.length) return [];
    const what = field === 'clusterIPs' ? 'cluster IP' : 'IP family';
    return [invalid(POLICY, policyOf(spec), `must be 'SingleStack' to release the secondary ${what}`)];
  });
}

const policyOf = (spec: ServiceSpec): string | null => spec.ipFamilyPolicy ?? null;

function singleStack(spec: ServiceSpec): FieldError[] {
  if (!isSingle(spec)) return [];
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    if ((spec[field] ?? []).length !== 2) return [];
    const what = field === 'clusterIPs' ? 'cluster IPs' : 'IP families';
    const message = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return [invalid(POLICY, policyOf(spec), message)];
  });
}

function inferFamilies(spec: ServiceSpec, families: readonly IPFamily[]): FieldError[] {
  const ips = spec.clusterIPs ?? [];
  const known = [...(spec.ipFamilies ?? [])];
  const errors: FieldError[] = [];
  for (let i = known.length; i < ips.length && ips[i] !== 'None'; i++) {
    const family: IPFamily = ipFamily(ips[i] as string) === 6 ? 'IPv6' : 'IPv4';
    if (families.includes(family)) known.push(family);
    else {
      const path = FieldPath.of('spec', 'clusterIPs').index(i);
      errors.push(invalid(path, ips, `${family} is not configured on this cluster`));
    }
  }
  if (known.length > 0) spec.ipFamilies = known;
  return errors;
}

function completeFree(spec: ServiceSpec, families: readonly IPFamily[]): FieldError[] {
  const known = spec.ipFamilies ?? [];
  const first = known[0] ?? families[0] ?? 'IPv4';
  const alone = known.length < 2;
  spec.ipFamilies = alone ? (isSingle(spec) ? [first] : [first, otherFamily(first)]) : known;
  return [];
}

function complete(spec: ServiceSpec, families: readonly IPFamily[]): FieldError[] {
  const known = spec.ipFamilies ?? [];
  const path = FieldPath.of('spec', 'ipFamilies');
  const errors = known.flatMap((family, i) =>
    families.some((one) => one === family) ? [] : [invalid(path.index(i), family, 'not configured on this cluster')],
  );
  if ((spec.ipFamilyPolicy ?? '') === 'RequireDualStack' && families.length < 2) {
    errors.unshift(invalid(POLICY, policyOf(spec), 'this cluster is not configured for dual-stack services'));
  }
  if (errors.length > 0) return errors;
  const first = known[0] ?? families[0] ?? 'IPv4';
  const second = known.length < 2 && !isSingle(spec) && families.length === 2;
  spec.ipFamilies = second ? [first, otherFamily(first)] : known.length === 0 ? [first] : known;
  return [];
}
