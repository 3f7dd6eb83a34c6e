import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, entries, items, text } from '#lib/machinery/unstructured.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { expressionWarnings, REPLACED_NODE_LABELS } from '../../shared/node-labels.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const NULL_SELECTOR = 'a null labelSelector results in matching no pod';

/** Selectors by node labels that have been replaced, and spread constraints that select nothing. */
export function nodeLabelWarnings(spec: JsonObject, path: FieldPath): string[] {
  const selector = entries(spec, 'nodeSelector').flatMap(([key]) => {
    const message = REPLACED_NODE_LABELS.get(key);
    return message === undefined ? [] : [`${path.child('nodeSelector').key(key)}: ${message}`];
  });
  return [...selector, ...nodeAffinity(spec, path.child('affinity', 'nodeAffinity')), ...spread(spec, path)];
}

function nodeAffinity(spec: JsonObject, path: FieldPath): string[] {
  const affinity = at(spec, 'affinity', 'nodeAffinity');
  const terms = items(objectAt(affinity, REQUIRED), 'nodeSelectorTerms').flatMap((term, i) =>
    expressionWarnings(term, path.child(REQUIRED, 'nodeSelectorTerms').index(i)),
  );
  const preferences = items(affinity, PREFERRED).flatMap((preference, i) =>
    expressionWarnings(objectAt(preference, 'preference'), path.child(PREFERRED).index(i).child('preference'), true),
  );
  return [...terms, ...preferences];
}

function spread(spec: JsonObject, path: FieldPath): string[] {
  return items(spec, 'topologySpreadConstraints').flatMap((constraint, i) => {
    const where = path.child('topologySpreadConstraints').index(i);
    const key = text(constraint, 'topologyKey');
    const message = REPLACED_NODE_LABELS.get(key);
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
