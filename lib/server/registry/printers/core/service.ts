import type { Service, ServicePort } from '#lib/api/types/core.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, labelsText, NONE, UNKNOWN } from '../cells.ts';
import { column, named, SELECTOR_COLUMN } from '../columns.ts';
import { loadBalancerAddresses } from '../load-balancer.ts';

/** Upstream's printService. */
export const service: TablePrinter<Service> = {
  columns: [
    ...named(
      column('Type', 'How the service is exposed.'),
      column('Cluster-IP', 'The first address of the service inside the cluster.'),
      column('External-IP', 'The addresses of the service outside the cluster.'),
      column('Port(s)', 'The ports of the service, with those on nodes.'),
    ),
    SELECTOR_COLUMN,
  ],
  cells(object, now) {
    const { spec } = object;
    return [
      nameOf(object),
      spec.type ?? '',
      spec.clusterIPs?.[0] ?? NONE,
      externalAddress(object),
      (spec.ports ?? []).map(portText).join(',') || NONE,
      age(object, now),
      labelsText(spec.selector),
    ];
  },
};

function externalAddress({ spec, status }: Service): string {
  const given = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return given.length === 0 ? NONE : given.join(',');
    case 'LoadBalancer': {
      const addresses = [...loadBalancerAddresses(status.loadBalancer), ...given];
      return addresses.length === 0 ? '<pending>' : addresses.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return UNKNOWN;
  }
}

const portText = ({ port, nodePort = 0, protocol = '' }: ServicePort): string =>
  `${port}${nodePort > 0 ? `:${nodePort}` : ''}/${protocol}`;
