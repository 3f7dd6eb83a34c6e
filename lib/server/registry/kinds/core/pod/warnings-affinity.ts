import type { NodeAffinity, PodAffinityTerm, PodSpec } from '#lib/api/types/core.v1.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';
import { expressionWarnings, REPLACED_NODE_LABELS } from '../../shared/node-labels.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const NULL_SELECTOR = 'a null labelSelector results in matching no pod';

/** Warnings about selectors with replaced node labels, and about spread constraints that select nothing. */
export function nodeLabelWarnings(spec: PodSpec, path: FieldPath): string[] {
  const selector = sortedEntries(spec.nodeSelector).flatMap(([key]) => {
    const message = REPLACED_NODE_LABELS.get(key);
    return message === undefined ? [] : [`${path.child('nodeSelector').key(key)}: ${message}`];
  });
  const affinity = nodeAffinity(spec.affinity?.nodeAffinity, path.child('affinity', 'nodeAffinity'));
  return [...selector, ...affinity, ...spread(spec, path)];
}

function nodeAffinity(affinity: NodeAffinity | undefined, path: FieldPath): string[] {
  const terms = (affinity?.[REQUIRED]?.nodeSelectorTerms ?? []).flatMap((term, i) =>
    expressionWarnings(term, path.child(REQUIRED, 'nodeSelectorTerms').index(i)),
  );
  const preferences = (affinity?.[PREFERRED] ?? []).flatMap(({ preference }, i) =>
    expressionWarnings(preference, path.child(PREFERRED).index(i).child('preference'), true),
  );
  return [...terms, ...preferences];
}

function spread(spec: PodSpec, path: FieldPath): string[] {
  return (spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, i) => {
    const where = path.child('topologySpreadConstraints').index(i);
    const message = REPLACED_NODE_LABELS.get(topologyKey);
    return [
      ...(message === undefined ? [] : [`${where.child('topologyKey')}: ${topologyKey} is ${message}`]),
      ...(labelSelector === undefined ? [`${where.child('labelSelector')}: ${NULL_SELECTOR}`] : []),
    ];
  });
}

/** Warnings about affinity terms that select nothing. */
export function nullSelectorWarnings(spec: PodSpec, path: FieldPath): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((field) => {
    const affinity = spec.affinity?.[field];
    const where = path.child('affinity', field);
    return [
      ...(affinity?.[REQUIRED] ?? []).flatMap((term, i) => nullSelector(term, where.child(REQUIRED).index(i))),
      ...(affinity?.[PREFERRED] ?? []).flatMap(({ podAffinityTerm }, i) =>
        nullSelector(podAffinityTerm, where.child(PREFERRED).index(i).child('podAffinityTerm')),
      ),
    ];
  });
}

const nullSelector = ({ labelSelector }: PodAffinityTerm, path: FieldPath): string[] =>
  labelSelector === undefined ? [`${path.child('labelSelector')}: ${NULL_SELECTOR}`] : [];
