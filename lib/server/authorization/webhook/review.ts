import { type JsonObject, setField } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes } from '../authorizer.ts';

const LABEL_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

/** The spec of the SubjectAccessReview v1 for a webhook, without empty fields. */
export function reviewSpec({ name, uid = '', groups, extra = {} }: User, asked: Attributes): JsonObject {
  const shown: JsonObject = {};
  for (const [key, values] of Object.entries(extra)) setField(shown, key, [...values]);
  return filled({
    ...(asked.isResourceRequest
      ? { resourceAttributes: resourceAttributes(asked) }
      : { nonResourceAttributes: filled({ path: asked.path, verb: asked.verb }) }),
    user: name,
    groups: [...groups],
    extra: shown,
    uid,
  });
}

function resourceAttributes(asked: Attributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name, fieldSelector = [] } = asked;
  const fields = fieldSelector.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
  const labels = (asked.labelSelector ?? []).flatMap(({ key, operator, values }) => {
    const shown = LABEL_OPERATORS.get(operator); // omits unknown operators, because selectors only restrict a request
    return shown === undefined ? [] : [filled({ key, operator: shown, values: [...values] })];
  });
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
    ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
  };
}

/** Omits empty fields like Go's JSON encoding. */
function filled(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== '' && (typeof value !== 'object' || Object.keys(value ?? {}).length > 0),
    ),
  );
}
