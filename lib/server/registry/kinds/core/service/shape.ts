import type { Service } from '#lib/api/types/core.v1.ts';

/** The type of a service. Empty if absent. */
export const typeOf = (service: Service): string => service.spec.type ?? '';

/** Whether the service explicitly has no cluster IP. */
export function isHeadless(service: Service): boolean {
  const ips = service.spec.clusterIPs ?? [];
  return ips.length === 1 && ips[0] === 'None';
}

/** Whether the service has a cluster IP or `None`. */
export const needsClusterIP = (service: Service): boolean => typeOf(service) !== 'ExternalName';

/** Whether nodes open ports for the service. Load balancers may opt out, which port allocation handles. */
export const needsNodePort = (service: Service): boolean =>
  typeOf(service) === 'NodePort' || typeOf(service) === 'LoadBalancer';

/** Whether a load balancer checks which nodes have endpoints. */
export const needsHealthCheck = (service: Service): boolean =>
  typeOf(service) === 'LoadBalancer' && (service.spec.externalTrafficPolicy ?? '') === 'Local';

/** Whether the service is reachable from outside the cluster. */
export function externallyAccessible(service: Service): boolean {
  const type = typeOf(service);
  if (type === 'ClusterIP') return (service.spec.externalIPs ?? []).length > 0;
  return type === 'LoadBalancer' || type === 'NodePort';
}
