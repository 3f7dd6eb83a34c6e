import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, entries, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const NODE_LABELS = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

const NULL_SELECTOR = 'a null labelSelector results in matching no pod';

/** Selectors by node labels that have been replaced, and spread constraints that select nothing. */
export function nodeLabelWarnings(spec: JsonObject, path: FieldPath): string[] {
  const selector = entries(spec, 'nodeSelector').flatMap(([key]) => {
    const message = NODE_LABELS.get(key);
    return message === undefined ? [] : [`${path.child('nodeSelector').key(key)}: ${message}`];
  });
  return [...selector, ...nodeAffinity(spec, path.child('affinity', 'nodeAffinity')), ...spread(spec, path)];
}

function nodeAffinity(spec: JsonObject, path: FieldPath): string[] {
  const affinity = at(spec, 'affinity', 'nodeAffinity');
  const terms = items(objectAt(affinity, REQUIRED), 'nodeSelectorTerms').flatMap((term, i) =>
    termWarnings(term, path.child(REQUIRED, 'nodeSelectorTerms').index(i), false),
  );
  const preferences = items(affinity, PREFERRED).flatMap((preference, i) =>
    termWarnings(objectAt(preference, 'preference') ?? {}, path.child(PREFERRED).index(i).child('preference'), true),
  );
  return [...terms, ...preferences];
}

function termWarnings(term: JsonObject, path: FieldPath, checkValues: boolean): string[] {
  return items(term, 'matchExpressions').flatMap((expression, i) => {
    const where = path.child('matchExpressions').index(i);
    const key = text(expression, 'key');
    const message = NODE_LABELS.get(key);
    const values = texts(expression, 'values').flatMap((value, j) =>
      isValidLabelValue(value).map((wrong) => `${where.child('values').index(j)}: ${value} is invalid, ${wrong}`),
    );
    return [
      ...(message === undefined ? [] : [`${where.child('key')}: ${key} is ${message}`]),
      ...(checkValues ? values : []),
    ];
  });
}

function spread(spec: JsonObject, path: FieldPath): string[] {
  return items(spec, 'topologySpreadConstraints').flatMap((constraint, i) => {
    const where = path.child('topologySpreadConstraints').index(i);
    const key = text(constraint, 'topologyKey');
    const message = NODE_LABELS.get(key);
    const unset = objectAt(constraint, 'labelSelector') === undefined;
    return [
      ...(message === undefined ? [] : [`${where.child('topologyKey')}: ${key} is ${message}`]),
      ...(unset ? [`${where.child('labelSelector')}: ${NULL_SELECTOR}`] : []),
    ];
  });
}

/** Affinity terms that select nothing. */
export function nullSelectorWarnings(spec: JsonObject, path: FieldPath): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((field) => {
    const affinity = at(spec, 'affinity', field);
    const where = path.child('affinity', field);
    const unset = (term: JsonObject | undefined, of: FieldPath): string[] =>
      objectAt(term, 'labelSelector') === undefined ? [`${of.child('labelSelector')}: ${NULL_SELECTOR}`] : [];
    return [
      ...items(affinity, REQUIRED).flatMap((term, i) => unset(term, where.child(REQUIRED).index(i))),
      ...items(affinity, PREFERRED).flatMap((term, i) =>
        unset(objectAt(term, 'podAffinityTerm'), where.child(PREFERRED).index(i).child('podAffinityTerm')),
      ),
    ];
  });
}
