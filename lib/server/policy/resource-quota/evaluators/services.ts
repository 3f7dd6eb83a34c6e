import type { Service } from '#lib/api/types/core.v1.ts';
import type { Evaluator } from '../evaluator.ts';

const NAMES = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Counts Services, their load balancers and their node ports. It counts requested ports, because they are not allocated yet. */
export const services: Evaluator<Service> = {
  group: '',
  resource: 'services',
  hasScopes: false,
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts: (name) => NAMES.includes(name),
  usage({ spec }) {
    const { ports = [], type } = spec;
    const balanced = type === 'LoadBalancer';
    const given = ports.filter(({ nodePort = 0 }) => nodePort !== 0);
    const taken = balanced && spec.allocateLoadBalancerNodePorts === false ? given : ports;
    return new Map([
      ['count/services', '1'],
      ['services', '1'],
      ['services.loadbalancers', balanced ? '1' : '0'],
      ['services.nodeports', String(balanced || type === 'NodePort' ? taken.length : 0)],
    ]);
  },
  inScope: () => false,
};
