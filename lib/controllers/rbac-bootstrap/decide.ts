import { AUTO_UPDATE } from '#lib/authorization/rbac/bootstrap-policy/policy.ts';
import { uncovered } from '#lib/authorization/rbac/covers.ts';
import { rulesOf, type PolicyRule } from '#lib/authorization/rbac/rule.ts';
import { equal, objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { items } from '#lib/machinery/unstructured.ts';

export type Action =
  | { readonly do: 'nothing' }
  | { readonly do: 'create' }
  | { readonly do: 'update'; readonly object: JsonObject }
  /** What a binding refers to cannot be changed. */
  | { readonly do: 'recreate' };

/**
 * What makes a role or binding say at least what is expected, and takes nothing away: upstream's reconciliation package.
 * One whose annotation says so is left alone.
 */
export function decide(current: JsonObject | undefined, expected: JsonObject): Action {
  if (current === undefined) return { do: 'create' };
  if (stringAt(objectAt(objectAt(current, 'metadata'), 'annotations'), AUTO_UPDATE) === 'false')
    return { do: 'nothing' };
  if (!equal(current['roleRef'] ?? null, expected['roleRef'] ?? null)) return { do: 'recreate' };
  const object: JsonObject = {
    ...current,
    metadata: withMarks(current, expected),
    ...(isBinding(expected) ? subjects : rules)(current, expected),
  };
  if (!isBinding(expected) && expected['aggregationRule'] === undefined) delete object['aggregationRule'];
  return equal(current, object) ? { do: 'nothing' } : { do: 'update', object };
}

const isBinding = (object: JsonObject): boolean => object['roleRef'] !== undefined;

/** Labels and annotations that lack; those that are there win. */
function withMarks(current: JsonObject, expected: JsonObject): JsonObject {
  const [has, wants] = [objectAt(current, 'metadata') ?? {}, objectAt(expected, 'metadata') ?? {}];
  const merged = (field: string): JsonObject => ({ ...objectAt(wants, field), ...objectAt(has, field) });
  return { ...has, labels: merged('labels'), annotations: merged('annotations') };
}

function rules(current: JsonObject, expected: JsonObject): JsonObject {
  const missing = uncovered(rulesOf(current), rulesOf(expected)) ?? [];
  const selectors = items(objectAt(current, 'aggregationRule'), 'clusterRoleSelectors');
  const wanted = items(objectAt(expected, 'aggregationRule'), 'clusterRoleSelectors');
  const lacking = lackingOf(wanted, selectors);
  return {
    ...(missing.length === 0 ? {} : { rules: [...items(current, 'rules'), ...missing.map(shown)] }),
    ...(lacking.length === 0
      ? {}
      : {
          aggregationRule: {
            ...objectAt(current, 'aggregationRule'),
            clusterRoleSelectors: [...selectors, ...lacking],
          },
        }),
  };
}

function subjects(current: JsonObject, expected: JsonObject): JsonObject {
  const has = items(current, 'subjects');
  const lacking = lackingOf(items(expected, 'subjects'), has);
  return lacking.length === 0 ? {} : { subjects: [...has, ...lacking] };
}

const lackingOf = (wanted: readonly JsonObject[], has: readonly JsonObject[]): JsonObject[] =>
  wanted.filter((one) => !has.some((other) => equal(one, other)));

/** A rule as it is stored: without empty lists. */
const shown = (rule: PolicyRule): JsonObject =>
  Object.fromEntries(
    Object.entries(rule).flatMap(([field, list]: [string, readonly string[]]): [string, Json][] =>
      list.length === 0 ? [] : [[field, [...list]]],
    ),
  );
