import type { Service, ServiceSpec } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import { cidrWarnings } from '../../shared/cidr-warnings.ts';
import { ipWarnings } from '../../shared/ip.ts';

const SPEC = FieldPath.of('spec');
const HINTS = 'service.kubernetes.io/topology-aware-hints';

/** Upstream's GetWarningsForService. */
export function serviceWarnings(service: Service): string[] {
  const spec = service.spec;
  const type = spec.type ?? '';
  const [ip, ips] = [spec.clusterIP ?? '', spec.clusterIPs ?? []];
  const headless = type === 'ClusterIP' && ip === 'None';
  const external = spec.externalIPs ?? [];
  const balancer = spec.loadBalancerIP ?? '';
  const list = (field: string, values: readonly string[], warn: typeof ipWarnings): string[] =>
    values.flatMap((value, i) => warn(value, SPEC.child(field).index(i)));
  return [
    ...(ownField(service.metadata.annotations, HINTS) !== undefined
      ? [`annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`]
      : []),
    ...(ip === '' || ip === 'None' ? [] : list('clusterIPs', ips, ipWarnings)),
    ...(headless ? headlessWarnings(spec) : []),
    ...list('externalIPs', external, ipWarnings),
    ...(external.length > 0 && !headless && type !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(balancer === '' ? [] : ipWarnings(balancer, SPEC.child('loadBalancerIP'))),
    ...list('loadBalancerSourceRanges', spec.loadBalancerSourceRanges ?? [], cidrWarnings),
    ...aliasWarnings(spec, type, external.length > 0),
    ...((spec.trafficDistribution ?? '') === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(spec: ServiceSpec): string[] {
  const ignored = [
    ...((spec.loadBalancerIP ?? '') === '' ? [] : ['loadBalancerIP']),
    ...((spec.externalIPs ?? []).length === 0 ? [] : ['externalIPs']),
    ...((spec.sessionAffinity ?? '') === 'None' ? [] : ['SessionAffinity']),
  ];
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

function aliasWarnings(spec: ServiceSpec, type: string, external: boolean): string[] {
  if (type === 'ExternalName') return external ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : [];
  const named = (spec.externalName ?? '') !== '';
  return named ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : [];
}
