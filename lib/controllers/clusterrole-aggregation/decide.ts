import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { items } from '#lib/registry/kinds/shared/fields.ts';

export const isAggregated = (role: JsonObject): boolean => objectAt(role, 'aggregationRule') !== undefined;

/** The rules that the role gathers from all others, each once, in the order of selectors and names; undefined where it has them. */
export function decide(role: JsonObject, roles: readonly JsonObject[]): JsonObject[] | undefined {
  const others = roles
    .filter((other) => nameOf(other) !== nameOf(role))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const rules: JsonObject[] = [];
  for (const selector of items(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors').map(selectorFromObject)) {
    for (const rule of others
      .filter((other) => matches(selector, labelsOf(other)))
      .flatMap((other) => items(other, 'rules')))
      if (!rules.some((known) => equal(known, rule))) rules.push(rule);
  }
  return equal(rules, items(role, 'rules')) ? undefined : rules;
}
