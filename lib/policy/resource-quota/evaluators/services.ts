import { objectAt } from '#lib/machinery/json-value.ts';
import { count, flag, items, text } from '#lib/machinery/unstructured.ts';
import type { Evaluator } from '../evaluator.ts';

const NAMES = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Services, their load balancers and the ports that they take of every node: by intent, for ports are not allocated yet. */
export const services: Evaluator = {
  group: '',
  resource: 'services',
  hasScopes: false,
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  counts: (name) => NAMES.includes(name),
  usage(service) {
    const spec = objectAt(service, 'spec');
    const ports = items(spec, 'ports');
    const type = text(spec, 'type');
    const balanced = type === 'LoadBalancer';
    const given = ports.filter((port) => Number(count(port, 'nodePort')) !== 0);
    const taken = balanced && flag(spec, 'allocateLoadBalancerNodePorts') === false ? given : ports;
    return new Map([
      ['count/services', '1'],
      ['services', '1'],
      ['services.loadbalancers', balanced ? '1' : '0'],
      ['services.nodeports', String(balanced || type === 'NodePort' ? taken.length : 0)],
    ]);
  },
  inScope: () => false,
};
