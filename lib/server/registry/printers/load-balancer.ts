import type { LoadBalancerStatus } from '#lib/api/types/core.v1.ts';
import type { IngressLoadBalancerStatus } from '#lib/api/types/networking.v1.ts';
/** The distinct addresses of a load balancer, sorted. */
export function loadBalancerAddresses({ ingress = [] }: LoadBalancerStatus | IngressLoadBalancerStatus): string[] {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '');
  return [...new Set(addresses.filter((address) => address !== ''))].sort();
}
