import { INGRESS_CLASSES, INGRESSES, IP_ADDRESSES, NETWORK_POLICIES, SERVICE_CIDRS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { ingressStrategy } from './ingress.ts';
import { ingressClassStrategy } from './ingress-class.ts';
import { ipAddressStrategy } from './ip-address.ts';
import { networkPolicyStrategy } from './network-policy.ts';
import { serviceCIDRStrategy } from './service-cidr.ts';

/** The strategies of the group `networking.k8s.io`. */
export const networkingStrategies: KindStrategies = {
  ...strategyOf(INGRESS_CLASSES, ingressClassStrategy),
  ...strategyOf(INGRESSES, ingressStrategy),
  ...strategyOf(IP_ADDRESSES, ipAddressStrategy),
  ...strategyOf(NETWORK_POLICIES, networkPolicyStrategy),
  ...strategyOf(SERVICE_CIDRS, serviceCIDRStrategy),
};
