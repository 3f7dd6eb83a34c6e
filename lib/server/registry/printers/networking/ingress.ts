import type { Ingress, IngressClass, IngressClassParametersReference } from '#lib/api/types/networking.v1.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE } from '../cells.ts';
import { column, named } from '../columns.ts';
import { loadBalancerAddresses } from '../load-balancer.ts';

/** Upstream's printIngress. */
export const ingress: TablePrinter<Ingress> = {
  columns: named(
    column('Class', 'The class that says which controller handles it.'),
    column('Hosts', 'The hosts of its rules.'),
    column('Address', 'The addresses of the load balancer.'),
    column('Ports', 'The ports that are open: 443 with TLS.'),
  ),
  cells(object, now) {
    const { ingressClassName, rules = [], tls = [] } = object.spec;
    return [
      nameOf(object),
      ingressClassName ?? NONE,
      hosts(rules.map(({ host = '' }) => host)),
      loadBalancerAddresses(object.status.loadBalancer).join(','),
      tls.length === 0 ? '80' : '80, 443',
      age(object, now),
    ];
  },
};

/** Returns the first three hosts and a number. Like upstream, the number counts the remaining rules instead of hosts. */
function hosts(ofRules: readonly string[]): string {
  const shown: string[] = [];
  for (const host of ofRules) {
    if (shown.length === 3) return `${shown.join(',')} + ${ofRules.length - 3} more...`;
    if (host !== '') shown.push(host);
  }
  return shown.join(',') || '*';
}

/** Upstream's printIngressClass. */
export const ingressClass: TablePrinter<IngressClass> = {
  columns: named(
    column('Controller', 'The controller that handles ingresses of the class.'),
    column('Parameters', 'The object that configures the controller for the class.'),
  ),
  cells(object, now) {
    const isDefault = annotationsOf(object)['ingressclass.kubernetes.io/is-default-class'] === 'true';
    return [
      isDefault ? `${nameOf(object)} (default)` : nameOf(object),
      object.spec.controller ?? '',
      parametersText(object.spec.parameters),
      age(object, now),
    ];
  },
};

function parametersText(parameters: IngressClassParametersReference | undefined): string {
  if (parameters === undefined) return NONE;
  const { apiGroup, kind, name } = parameters;
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`;
}
