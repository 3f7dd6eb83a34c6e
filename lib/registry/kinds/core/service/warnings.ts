import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, text, texts } from '#lib/machinery/unstructured.ts';
import { cidrWarnings } from '../../shared/cidr-warnings.ts';
import { ipWarnings } from '../../shared/ip.ts';
import { specOf } from './shape.ts';

const SPEC = FieldPath.of('spec');
const HINTS = 'service.kubernetes.io/topology-aware-hints';

/** Upstream's GetWarningsForService. */
export function serviceWarnings(service: JsonObject): string[] {
  const spec = specOf(service);
  const type = text(spec, 'type');
  const [ip, ips] = [text(spec, 'clusterIP'), texts(spec, 'clusterIPs')];
  const headless = type === 'ClusterIP' && ip === 'None';
  const external = texts(spec, 'externalIPs');
  const balancer = text(spec, 'loadBalancerIP');
  const list = (field: string, values: readonly string[], warn: typeof ipWarnings): string[] =>
    values.flatMap((value, i) => warn(value, SPEC.child(field).index(i)));
  return [
    ...(has(at(service, 'metadata', 'annotations'), HINTS)
      ? [`annotation ${HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`]
      : []),
    ...(ip === '' || ip === 'None' ? [] : list('clusterIPs', ips, ipWarnings)),
    ...(headless ? headlessWarnings(spec) : []),
    ...list('externalIPs', external, ipWarnings),
    ...(external.length > 0 && !headless && type !== 'ExternalName'
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(balancer === '' ? [] : ipWarnings(balancer, SPEC.child('loadBalancerIP'))),
    ...list('loadBalancerSourceRanges', texts(spec, 'loadBalancerSourceRanges'), cidrWarnings),
    ...aliasWarnings(spec, type, external.length > 0),
    ...(text(spec, 'trafficDistribution') === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}

function headlessWarnings(spec: JsonObject): string[] {
  const ignored = [
    ...(text(spec, 'loadBalancerIP') === '' ? [] : ['loadBalancerIP']),
    ...(texts(spec, 'externalIPs').length === 0 ? [] : ['externalIPs']),
    ...(text(spec, 'sessionAffinity') === 'None' ? [] : ['SessionAffinity']),
  ];
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

function aliasWarnings(spec: JsonObject, type: string, external: boolean): string[] {
  if (type === 'ExternalName') return external ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : [];
  const named = text(spec, 'externalName') !== '';
  return named ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : [];
}
