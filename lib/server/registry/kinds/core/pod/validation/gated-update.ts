import type { NodeSelector, NodeSelectorTerm, PodSpec } from '#lib/api/types/core.v1.ts';
import { clone, hasNoField, ownField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { semanticEqual } from '../../../shared/semantic.ts';
import { keepField } from '../../../shared/status.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/**
 * A pod with scheduling gates may be restricted to fewer nodes. Resets the affected fields of `settled` to their values in `old`. Returns
 * the errors of their changes.
 */
export function settleGatedFields(settled: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...settleNodeSelector(settled, old, path.child('nodeSelector')),
    ...settleNodeAffinity(settled, old, path.child('affinity', 'nodeAffinity')),
  ];
}

function settleNodeSelector(settled: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  const now = settled.nodeSelector;
  const kept = sortedEntries(old.nodeSelector).every(([key, value]) => ownField(now, key) === value);
  const message = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  keepField(settled, old, 'nodeSelector');
  return kept ? [] : [invalid(path, now ?? null, message)];
}

function settleNodeAffinity(settled: PodSpec, old: PodSpec, path: FieldPath): FieldError[] {
  const now = settled.affinity?.nodeAffinity;
  const before = old.affinity?.nodeAffinity;
  if (semanticEqual(now, before)) return [];
  const errors = affinityMutation(now?.[REQUIRED], before?.[REQUIRED], path.child(REQUIRED));
  const affinity = { ...settled.affinity };
  if (before === undefined) delete affinity.nodeAffinity;
  else affinity.nodeAffinity = clone(before);
  if (hasNoField(affinity)) delete settled.affinity;
  else settled.affinity = affinity;
  return errors;
}

function affinityMutation(now: NodeSelector | undefined, old: NodeSelector | undefined, path: FieldPath): FieldError[] {
  const before = old?.nodeSelectorTerms ?? [];
  const terms = now?.nodeSelectorTerms ?? [];
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

const LISTS = ['matchExpressions', 'matchFields'] as const;

/** An empty term matches no node, so adding to it would allow more nodes. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const isEmpty = (of: NodeSelectorTerm): boolean => LISTS.every((list) => (of[list] ?? []).length === 0);
  if (isEmpty(old) && !isEmpty(term)) return false;
  return LISTS.every((list) => {
    const before = old[list] ?? [];
    return before.length === 0 || semanticEqual((term[list] ?? []).slice(0, before.length), before);
  });
}
