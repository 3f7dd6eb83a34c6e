import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '#lib/api/types/core.v1.ts';
import type { NodeLabels } from './match.ts';

/** Whether a class may provision on a node: upstream's MatchTopologySelectorTerms. Without terms, every node is allowed. */
export const isAllowed = (terms: readonly TopologySelectorTerm[], labels: NodeLabels): boolean =>
  terms.length === 0 || terms.some(({ matchLabelExpressions = [] }) => holds(matchLabelExpressions, labels));

const holds = (expressions: readonly TopologySelectorLabelRequirement[], labels: NodeLabels): boolean =>
  expressions.length > 0 &&
  expressions.every(({ key, values }) => {
    const value = labels[key];
    return value !== undefined && (values ?? []).includes(value);
  });
