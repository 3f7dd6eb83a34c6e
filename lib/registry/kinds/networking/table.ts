import type { KindStrategies } from '../../strategy.ts';
import { ingressClassStrategy } from './ingress-class.ts';
import { ingressStrategy } from './ingress.ts';
import { ipAddressStrategy } from './ip-address.ts';
import { networkPolicyStrategy } from './network-policy.ts';
import { serviceCIDRStrategy } from './service-cidr.ts';

export const networkingStrategies: KindStrategies = {
  'networking.k8s.io/ingressclasses': ingressClassStrategy,
  'networking.k8s.io/ingresses': ingressStrategy,
  'networking.k8s.io/ipaddresses': ipAddressStrategy,
  'networking.k8s.io/networkpolicies': networkPolicyStrategy,
  'networking.k8s.io/servicecidrs': serviceCIDRStrategy,
};
