import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, labelsText, NONE, UNKNOWN } from '../cells.ts';
import { column, named, SELECTOR_COLUMN } from '../columns.ts';
import { loadBalancerAddresses } from '../load-balancer.ts';

/** Upstream's printService. */
export const service: TablePrinter = {
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
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      text(spec, 'type'),
      texts(spec, 'clusterIPs')[0] ?? NONE,
      externalAddress(object, spec),
      items(spec, 'ports').map(portText).join(',') || NONE,
      age(object, now),
      labelsText(spec, 'selector'),
    ];
  },
};

function externalAddress(object: JsonObject, spec: JsonObject | undefined): string {
  const given = texts(spec, 'externalIPs');
  switch (text(spec, 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return given.length === 0 ? NONE : given.join(',');
    case 'LoadBalancer': {
      const addresses = [...loadBalancerAddresses(object), ...given];
      return addresses.length === 0 ? '<pending>' : addresses.join(',');
    }
    case 'ExternalName':
      return text(spec, 'externalName');
    default:
      return UNKNOWN;
  }
}

function portText(port: JsonObject): string {
  const nodePort = count(port, 'nodePort');
  return `${count(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${text(port, 'protocol')}`;
}
