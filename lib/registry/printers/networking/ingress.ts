import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import type { TablePrinter } from '../../printer.ts';
import { age, NONE, textUnlessNull } from '../cells.ts';
import { column, named } from '../columns.ts';
import { loadBalancerAddresses } from '../load-balancer.ts';

/** Upstream's printIngress. */
export const ingress: TablePrinter = {
  columns: named(
    column('Class', 'The class that says which controller handles it.'),
    column('Hosts', 'The hosts of its rules.'),
    column('Address', 'The addresses of the load balancer.'),
    column('Ports', 'The ports that are open: 443 with TLS.'),
  ),
  cells(object, now) {
    const spec = objectAt(object, 'spec');
    return [
      nameOf(object),
      textUnlessNull(spec, 'ingressClassName', NONE),
      hosts(items(spec, 'rules').map((rule) => text(rule, 'host'))),
      loadBalancerAddresses(object).join(','),
      arrayAt(spec, 'tls').length === 0 ? '80' : '80, 443',
      age(object, now),
    ];
  },
};

/** Upstream counts rules, not hosts, as those behind the first three. */
function hosts(ofRules: readonly string[]): string {
  const shown: string[] = [];
  for (const host of ofRules) {
    if (shown.length === 3) return `${shown.join(',')} + ${ofRules.length - 3} more...`;
    if (host !== '') shown.push(host);
  }
  return shown.join(',') || '*';
}

/** Upstream's printIngressClass. */
export const ingressClass: TablePrinter = {
  columns: named(
    column('Controller', 'The controller that handles ingresses of the class.'),
    column('Parameters', 'The object that configures the controller for the class.'),
  ),
  cells(object, now) {
    const isDefault = annotationsOf(object)['ingressclass.kubernetes.io/is-default-class'] === 'true';
    const spec = objectAt(object, 'spec');
    return [
      isDefault ? `${nameOf(object)} (default)` : nameOf(object),
      text(spec, 'controller'),
      parametersText(objectAt(spec, 'parameters')),
      age(object, now),
    ];
  },
};

function parametersText(parameters: JsonObject | undefined): string {
  if (parameters === undefined) return NONE;
  const group = has(parameters, 'apiGroup') ? `.${text(parameters, 'apiGroup')}` : '';
  return `${text(parameters, 'kind')}${group}/${text(parameters, 'name')}`;
}
