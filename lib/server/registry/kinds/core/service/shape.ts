import type { Service } from '#lib/api/types/core.v1.ts';

/** The type of a service; empty where it has none. */
export const typeOf = (service: Service): string => service.spec.type ?? '';

/** Whether the service has no cluster IP by choice. */
export function isHeadless(service: Service): boolean {
  const ips = service.spec.clusterIPs ?? [];
  return ips.length === 1 && ips[0] === 'None';
}

/** Whether the service has a cluster IP, or `None` in its place. */
export const needsClusterIP = (service: Service): boolean => typeOf(service) !== 'ExternalName';

/** Whether nodes open ports for the service; load balancers may opt out when ports are allocated, not here. */
export const needsNodePort = (service: Service): boolean =>
  typeOf(service) === 'NodePort' || typeOf(service) === 'LoadBalancer';

/** Whether a load balancer asks the nodes which of them have endpoints. */
export const needsHealthCheck = (service: Service): boolean =>
  typeOf(service) === 'LoadBalancer' && (service.spec.externalTrafficPolicy ?? '') === 'Local';

/** Whether traffic from outside the cluster can reach the service. */
export function externallyAccessible(service: Service): boolean {
  const type = typeOf(service);
  if (type === 'ClusterIP') return (service.spec.externalIPs ?? []).length > 0;
  return type === 'LoadBalancer' || type === 'NodePort';
}
