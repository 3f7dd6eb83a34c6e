import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { selectorFromObject, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { parseRules, type Rule } from './rule.ts';

/** Which requests a webhook, a policy or a binding is asked about; upstream's `MatchCriteria`. */
export interface Criteria {
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  /** Without rules everything is meant: so it is in bindings, not in webhooks. */
  readonly emptyMeansAll: boolean;
  /** Whether other versions of the same objects are meant too. */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** Of a webhook. */
export function webhookCriteria(hook: JsonObject): Criteria {
  return { ...common(hook), rules: parseRules(hook, 'rules'), excluded: [], emptyMeansAll: false };
}

/** Of `matchConstraints` and `matchResources`. */
export function matchResources(match: JsonObject | undefined): Criteria {
  return {
    ...common(match ?? {}),
    rules: parseRules(match, 'resourceRules'),
    excluded: parseRules(match, 'excludeResourceRules'),
    emptyMeansAll: true,
  };
}

function common(from: JsonObject): Pick<Criteria, 'equivalent' | 'namespaceSelector' | 'objectSelector'> {
  return {
    equivalent: text(from, 'matchPolicy') !== 'Exact',
    namespaceSelector: selectorFromObject(objectAt(from, 'namespaceSelector')),
    objectSelector: selectorFromObject(objectAt(from, 'objectSelector')),
  };
}
