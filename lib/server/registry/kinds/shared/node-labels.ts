import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';

/** Replaced node labels and upstream's message about each. */
export const REPLACED_NODE_LABELS: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

interface Expressions {
  readonly matchExpressions?: readonly { readonly key: string; readonly values?: readonly string[] }[];
}

/**
 * Warnings about replaced node labels in the `matchExpressions` of a node selector term or a label selector. With `checksValues`, also
 * about invalid label values.
 */
export function expressionWarnings(selector: Expressions | undefined, path: FieldPath, checksValues = false): string[] {
  return (selector?.matchExpressions ?? []).flatMap((expression, i) => {
    const where = path.child('matchExpressions').index(i);
    const { key } = expression;
    const message = REPLACED_NODE_LABELS.get(key);
    const values = (expression.values ?? []).flatMap((value, j) =>
      isValidLabelValue(value).map((wrong) => `${where.child('values').index(j)}: ${value} is invalid, ${wrong}`),
    );
    return [
      ...(message === undefined ? [] : [`${where.child('key')}: ${key} is ${message}`]),
      ...(checksValues ? values : []),
    ];
  });
}
