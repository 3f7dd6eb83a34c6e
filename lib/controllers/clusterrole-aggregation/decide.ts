import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { items } from '#lib/machinery/unstructured.ts';
import { matches, selectorFromObject } from '#lib/machinery/labels/selector.ts';

export const isAggregated = (role: JsonObject): boolean => objectAt(role, 'aggregationRule') !== undefined;

/**
 * The rules that the role gathers from all others, each once, in the order of selectors and names; undefined where it has
 * them. Of roles that gather themselves counts what they gather, not what they have: roles that gather each other would
 * hand on for ever what nobody gives them any more.
 */
export function decide(role: JsonObject, roles: readonly JsonObject[]): JsonObject[] | undefined {
  const rules: JsonObject[] = [];
  for (const rule of gathered(role, roles.toSorted(byName), new Set([nameOf(role)])))
    if (!rules.some((known) => equal(known, rule))) rules.push(rule);
  return equal(rules, items(role, 'rules')) ? undefined : rules;
}

const byName = (a: JsonObject, b: JsonObject): number => (nameOf(a) < nameOf(b) ? -1 : 1);

/** `asked` are the names of roles that gather and have been asked, which have nothing to add. */
function* gathered(role: JsonObject, roles: readonly JsonObject[], asked: Set<string>): Iterable<JsonObject> {
  for (const selector of items(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors').map(selectorFromObject)) {
    for (const other of roles.filter((one) => matches(selector, labelsOf(one)))) {
      if (asked.has(nameOf(other))) continue;
      if (!isAggregated(other)) yield* items(other, 'rules');
      else yield* gathered(other, roles, asked.add(nameOf(other)));
    }
  }
}
