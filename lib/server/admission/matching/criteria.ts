import type { MatchResources, MutatingWebhook, ValidatingWebhook } from '#lib/api/types/admissionregistration.v1.ts';
import { type LabelSelector, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { parseRules, type Rule } from './rule.ts';

/** The requests to which a webhook, a policy or a binding applies: upstream's `MatchCriteria`. */
export interface Criteria {
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  /** Whether an empty list of rules matches every request, as in bindings. In webhooks, an empty list matches none. */
  readonly emptyMeansAll: boolean;
  /** Whether rules for other versions of the same objects match too. */
  readonly equivalent: boolean;
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
}

/** Returns the criteria of a webhook. */
export function webhookCriteria(hook: ValidatingWebhook | MutatingWebhook): Criteria {
  return { ...common(hook), rules: parseRules(hook.rules), excluded: [], emptyMeansAll: false };
}

/** Returns the criteria of `matchConstraints` and `matchResources`. */
export function matchResources(match: MatchResources | undefined): Criteria {
  return {
    ...common(match ?? {}),
    rules: parseRules(match?.resourceRules),
    excluded: parseRules(match?.excludeResourceRules),
    emptyMeansAll: true,
  };
}

function common(
  from: Pick<MatchResources, 'matchPolicy' | 'namespaceSelector' | 'objectSelector'>,
): Pick<Criteria, 'equivalent' | 'namespaceSelector' | 'objectSelector'> {
  return {
    equivalent: from.matchPolicy !== 'Exact',
    namespaceSelector: selectorFromObject(from.namespaceSelector),
    objectSelector: selectorFromObject(from.objectSelector),
  };
}
