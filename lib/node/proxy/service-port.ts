import type { ServicePort as PortSpec, Service } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import { addressOf, prefixesOf } from './ip.ts';
import { type IPFamily, type Protocol, portKey, protocolOf, type ServiceName, type ServicePortName } from './types.ts';

/** A Service port in one address family (upstream: BaseServicePortInfo). Addresses are in Go's form. */
export interface ServicePort extends ServicePortName {
  readonly clusterIP: string;
  readonly number: number;
  readonly protocol: Protocol;
  /** The affinity timeout in seconds. Undefined without affinity. */
  readonly stickySeconds?: number;
  readonly externalIPs: readonly string[];
  /** The ingress addresses of the load balancer that packets keep as their destination. */
  readonly loadBalancerVIPs: readonly string[];
  /** The source networks from which the load balancer's addresses accept packets. Empty for all. */
  readonly sourceRanges: readonly string[];
  /** 0 if absent. */
  readonly nodePort: number;
  /** 0 if absent. */
  readonly healthCheckNodePort: number;
  readonly externalPolicyLocal: boolean;
  readonly internalPolicyLocal: boolean;
}

/** The label of Services and EndpointSlices that another proxy handles. */
const OTHER_PROXY = 'service.kubernetes.io/service-proxy-name';

/** Whether a proxy other than the node's own handles an object with these labels. */
export const isOfOtherProxy = (labels: Record<string, string> | undefined): boolean =>
  ownField(labels, OTHER_PROXY) !== undefined;

/** Whether packets can arrive at an address other than the ClusterIP. */
export const isExternallyAccessible = ({ nodePort, loadBalancerVIPs, externalIPs }: ServicePort): boolean =>
  nodePort !== 0 || loadBalancerVIPs.length > 0 || externalIPs.length > 0;

/** Whether some packets use the policy Cluster. External packets from the node and its pods always do. */
export const usesClusterEndpoints = (port: ServicePort): boolean =>
  !port.internalPolicyLocal || isExternallyAccessible(port);

/** Whether some packets use the policy Local. */
export const usesLocalEndpoints = (port: ServicePort): boolean =>
  port.internalPolicyLocal || (port.externalPolicyLocal && isExternallyAccessible(port));

/** The namespaced name of a Service or another object. */
export const nameOfService = (namespace = '', name = ''): ServiceName => `${namespace}/${name}`;

/**
 * The Service ports that a node forwards in a family, by port key. Empty for headless and ExternalName Services (upstream:
 * serviceToServiceMap).
 */
export function servicePortsOf(service: Service, family: IPFamily): ReadonlyMap<string, ServicePort> {
  const { metadata, spec } = service;
  const clusterIP = addressOf(clusterIPOf(service, family), family);
  if (clusterIP === undefined || spec.type === 'ExternalName' || isOfOtherProxy(metadata.labels)) return new Map();
  const common = commonOf(service, family);
  const name = nameOfService(metadata.namespace, metadata.name);
  const ports = (spec.ports ?? []).flatMap((port): ServicePort[] => {
    const protocol = protocolOf(port.protocol);
    if (protocol === undefined || !isPort(port.port)) return [];
    return [
      { service: name, port: port.name ?? '', protocol, number: port.port, clusterIP, ...common, ...nodePortOf(port) },
    ];
  });
  return new Map(ports.map((port) => [portKey(port), port]));
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;

const nodePortOf = ({ nodePort = 0 }: PortSpec) => ({ nodePort: isPort(nodePort) ? nodePort : 0 });

/** The ClusterIP of the family. '' if the Service has none. Services of old servers have no list of families. */
function clusterIPOf({ spec }: Service, family: IPFamily): string {
  const { clusterIP = '', clusterIPs = [], ipFamilies = [] } = spec;
  if (clusterIP === '' || clusterIP === 'None') return '';
  if (ipFamilies.length === 0) return clusterIP;
  return clusterIPs[ipFamilies.indexOf(family)] ?? '';
}

type Common = Omit<ServicePort, keyof ServicePortName | 'number' | 'clusterIP' | 'nodePort'>;

function commonOf(service: Service, family: IPFamily): Common {
  const { spec } = service;
  const isLocal = spec.externalTrafficPolicy === 'Local' && hasExternalType(service);
  const stickySeconds = stickySecondsOf(service);
  const health = spec.healthCheckNodePort ?? 0;
  return {
    ...(stickySeconds !== undefined && { stickySeconds }),
    externalIPs: addresses(spec.externalIPs ?? [], family),
    loadBalancerVIPs: addresses(virtualIPs(service), family),
    sourceRanges: sourceRangesOf(service, family),
    externalPolicyLocal: isLocal,
    internalPolicyLocal: spec.internalTrafficPolicy === 'Local',
    healthCheckNodePort: spec.type === 'LoadBalancer' && isLocal && isPort(health) ? health : 0,
  };
}

const addresses = (texts: readonly string[], family: IPFamily): string[] => [
  ...new Set(texts.flatMap((text) => addressOf(text, family) ?? [])),
];

/** Whether the Service is externally accessible by its type (upstream: ExternallyAccessible of the Service). */
const hasExternalType = ({ spec: { type, externalIPs = [] } }: Service): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0);

/** The affinity timeout in seconds. The API server's default is three hours. */
function stickySecondsOf({ spec: { sessionAffinity, sessionAffinityConfig } }: Service): number | undefined {
  if (sessionAffinity !== 'ClientIP') return undefined;
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800;
  return Math.min(Math.max(Math.trunc(seconds), 1), 86_400);
}

const virtualIPs = ({ status }: Service): string[] =>
  (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '', ipMode = 'VIP' }) => (ipMode === 'VIP' ? [ip] : []));

/** The source ranges. Empty if one of them covers every address. */
function sourceRangesOf({ spec }: Service, family: IPFamily): string[] {
  const prefixes = prefixesOf(spec.loadBalancerSourceRanges ?? [], family);
  return prefixes.some(({ length }) => length === 0) ? [] : [...new Set(prefixes.map(networkText))];
}
