import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';
import type { NodeLabels } from './match.ts';

/** Whether a node is where a class may provision: upstream's MatchTopologySelectorTerms. No terms: anywhere. */
export const isAllowed = (terms: readonly JsonObject[], labels: NodeLabels): boolean =>
  terms.length === 0 || terms.some((term) => holds(items(term, 'matchLabelExpressions'), labels));

const holds = (expressions: readonly JsonObject[], labels: NodeLabels): boolean =>
  expressions.length > 0 &&
  expressions.every((one) => {
    const value = labels[text(one, 'key')];
    return value !== undefined && texts(one, 'values').includes(value);
  });
