import { arrayAt, clone, objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, entries, items } from '#lib/machinery/unstructured.ts';
import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { semanticEqual } from '../../../shared/semantic.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * A pod that waits behind scheduling gates may be narrowed to fewer nodes. Sets the fields in question in `settled` to what
 * they were, and returns what is wrong with how they changed.
 */
export function settleGatedFields(settled: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...settleNodeSelector(settled, old, path.child('nodeSelector')),
    ...settleNodeAffinity(settled, old, path.child('affinity', 'nodeAffinity')),
  ];
}

function settleNodeSelector(settled: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const now = objectAt(settled, 'nodeSelector');
  const kept = entries(old, 'nodeSelector').every(([key, value]) => stringAt(now, key) === value);
  const message = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  const errors = kept ? [] : [invalid(path, now ?? null, message)];
  const before = objectAt(old, 'nodeSelector');
  if (before === undefined) delete settled['nodeSelector'];
  else settled['nodeSelector'] = clone<Json>(before);
  return errors;
}

function settleNodeAffinity(settled: JsonObject, old: JsonObject, path: FieldPath): FieldError[] {
  const now = at(settled, 'affinity', 'nodeAffinity');
  const before = at(old, 'affinity', 'nodeAffinity');
  if (semanticEqual(now, before)) return [];
  const errors = affinityMutation(objectAt(now, REQUIRED), objectAt(before, REQUIRED), path.child(REQUIRED));
  const affinity = { ...objectAt(settled, 'affinity') };
  if (before === undefined) delete affinity['nodeAffinity'];
  else affinity['nodeAffinity'] = clone<Json>(before);
  if (Object.keys(affinity).length === 0) delete settled['affinity'];
  else settled['affinity'] = affinity;
  return errors;
}

function affinityMutation(now: JsonObject | undefined, old: JsonObject | undefined, path: FieldPath): FieldError[] {
  const before = items(old, 'nodeSelectorTerms');
  const terms = items(now, 'nodeSelectorTerms');
  const where = path.child('nodeSelectorTerms');
  if (before.length > 0 && before.length !== terms.length) {
    return [invalid(where, terms, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return before.flatMap((term, i) => {
    const next = terms[i] ?? {};
    const message = 'only additions are allowed (no mutations or deletions)';
    return onlyAdds(next, term) ? [] : [invalid(where.index(i), next, message)];
  });
}

const LISTS = ['matchExpressions', 'matchFields'];

/** An empty term matches nothing, so that to add to it would widen it. */
function onlyAdds(term: JsonObject, old: JsonObject): boolean {
  const isEmpty = (of: JsonObject): boolean => LISTS.every((list) => arrayAt(of, list).length === 0);
  if (isEmpty(old) && !isEmpty(term)) return false;
  return LISTS.every((list) => {
    const before = arrayAt(old, list);
    return before.length === 0 || semanticEqual(arrayAt(term, list).slice(0, before.length), before);
  });
}
