import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text, texts } from '#lib/machinery/unstructured.ts';

export const specOf = (service: JsonObject): JsonObject => objectAt(service, 'spec') ?? {};
export const typeOf = (service: JsonObject): string => text(specOf(service), 'type');

/** Without a cluster IP by choice. */
export function isHeadless(service: JsonObject): boolean {
  const ips = texts(specOf(service), 'clusterIPs');
  return ips.length === 1 && ips[0] === 'None';
}

export const needsClusterIP = (service: JsonObject): boolean => typeOf(service) !== 'ExternalName';

/** Whether nodes open ports for the service; load balancers may opt out when ports are allocated, not here. */
export const needsNodePort = (service: JsonObject): boolean =>
  typeOf(service) === 'NodePort' || typeOf(service) === 'LoadBalancer';

/** Whether a load balancer asks the nodes which of them have endpoints. */
export const needsHealthCheck = (service: JsonObject): boolean =>
  typeOf(service) === 'LoadBalancer' && text(specOf(service), 'externalTrafficPolicy') === 'Local';

/** Whether traffic from outside the cluster can reach the service. */
export function externallyAccessible(service: JsonObject): boolean {
  const type = typeOf(service);
  if (type === 'ClusterIP') return texts(specOf(service), 'externalIPs').length > 0;
  return type === 'LoadBalancer' || type === 'NodePort';
}
