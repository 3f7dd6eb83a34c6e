import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text, texts } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, type FieldError } from '#lib/machinery/validation/field.ts';
import { ipFamily } from '../../shared/ip.ts';
import { validateClusterIPs } from './cluster-ips.ts';
import { specOf, typeOf } from './shape.ts';

export type IPFamily = 'IPv4' | 'IPv6';

const POLICY = FieldPath.of('spec', 'ipFamilyPolicy');
const otherFamily = (family: string): IPFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/**
 * Upstream's initIPFamilyFields: sets policy and families of a service before addresses are allocated. `families` are those
 * of the cluster, the default first. Returns what speaks against the service; it is then half set.
 */
export function initIPFamilies(
  service: JsonObject,
  old: JsonObject | undefined,
  families: readonly IPFamily[],
): FieldError[] {
  if (typeOf(service) === 'ExternalName' || staysPreferred(service, old)) return [];
  const spec = specOf(service);
  setPolicy(spec, old);
  const wrong = validateClusterIPs(service, old);
  if (wrong.length > 0) return wrong;
  const errors = [...reduce(service, old), ...singleStack(spec), ...inferFamilies(spec, families)];
  if (errors.length > 0) return errors;
  return isFree(spec) ? completeFree(spec, families) : complete(spec, families);
}

/** A service that prefers two families does not follow a cluster that gains or loses one. */
function staysPreferred(service: JsonObject, old: JsonObject | undefined): boolean {
  if (old === undefined || typeOf(old) === 'ExternalName') return false;
  const [spec, before] = [specOf(service), specOf(old)];
  const preferred = (one: JsonObject): boolean => text(one, 'ipFamilyPolicy') === 'PreferDualStack';
  const same = (field: string): boolean => texts(spec, field).join() === texts(before, field).join();
  return preferred(spec) && preferred(before) && same('clusterIPs') && same('ipFamilies');
}

/** Headless and without a selector: whoever writes its endpoints decides on families. */
const isFree = (spec: JsonObject): boolean =>
  text(spec, 'clusterIP') === 'None' && Object.keys(objectAt(spec, 'selector') ?? {}).length === 0;

function setPolicy(spec: JsonObject, old: JsonObject | undefined): void {
  if (has(spec, 'ipFamilyPolicy')) return;
  const before = text(old === undefined ? undefined : specOf(old), 'ipFamilyPolicy');
  spec['ipFamilyPolicy'] = before !== '' ? before : isFree(spec) ? 'RequireDualStack' : 'SingleStack';
}

const isSingle = (spec: JsonObject): boolean => text(spec, 'ipFamilyPolicy') === 'SingleStack';

/** Single stack drops the second of what the client left as it was; otherwise fewer is an error. */
function reduce(service: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (old === undefined) return [];
  const [spec, before] = [specOf(service), specOf(old)];
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    const [now, then] = [texts(spec, field), texts(before, field)];
    if (isSingle(spec)) {
      if (now.length > 1 && now.join() === then.join()) spec[field] = now.slice(0, 1);
      return [];
    }
    if (now.length === 0 || now.length >= then.length) return [];
    const what = field === 'clusterIPs' ? 'cluster IP' : 'IP family';
    return [invalid(POLICY, policyOf(spec), `must be 'SingleStack' to release the secondary ${what}`)];
  });
}

const policyOf = (spec: JsonObject): unknown => ownField(spec, 'ipFamilyPolicy') ?? null;

function singleStack(spec: JsonObject): FieldError[] {
  if (!isSingle(spec)) return [];
  return (['clusterIPs', 'ipFamilies'] as const).flatMap((field) => {
    if (texts(spec, field).length !== 2) return [];
    const what = field === 'clusterIPs' ? 'cluster IPs' : 'IP families';
    const text = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return [invalid(POLICY, policyOf(spec), text)];
  });
}

function inferFamilies(spec: JsonObject, families: readonly IPFamily[]): FieldError[] {
  const ips = texts(spec, 'clusterIPs');
  const known = texts(spec, 'ipFamilies');
  const errors: FieldError[] = [];
  for (let i = known.length; i < ips.length && ips[i] !== 'None'; i++) {
    const family: IPFamily = ipFamily(ips[i] as string) === 6 ? 'IPv6' : 'IPv4';
    if (families.includes(family)) known.push(family);
    else {
      const path = FieldPath.of('spec', 'clusterIPs').index(i);
      errors.push(invalid(path, ips, `${family} is not configured on this cluster`));
    }
  }
  if (known.length > 0) spec['ipFamilies'] = known;
  return errors;
}

function completeFree(spec: JsonObject, families: readonly IPFamily[]): FieldError[] {
  const known = texts(spec, 'ipFamilies');
  const first = known[0] ?? families[0] ?? 'IPv4';
  const alone = known.length < 2;
  spec['ipFamilies'] = alone ? (isSingle(spec) ? [first] : [first, otherFamily(first)]) : known;
  return [];
}

function complete(spec: JsonObject, families: readonly IPFamily[]): FieldError[] {
  const known = texts(spec, 'ipFamilies');
  const path = FieldPath.of('spec', 'ipFamilies');
  const errors = known.flatMap((family, i) =>
    families.some((one) => one === family) ? [] : [invalid(path.index(i), family, 'not configured on this cluster')],
  );
  if (text(spec, 'ipFamilyPolicy') === 'RequireDualStack' && families.length < 2) {
    errors.unshift(invalid(POLICY, policyOf(spec), 'this cluster is not configured for dual-stack services'));
  }
  if (errors.length > 0) return errors;
  const first = known[0] ?? families[0] ?? 'IPv4';
  const second = known.length < 2 && !isSingle(spec) && families.length === 2;
  spec['ipFamilies'] = second ? [first, otherFamily(first)] : known.length === 0 ? [first] : known;
  return [];
}
