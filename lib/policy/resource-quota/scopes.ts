import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';

/** One condition of a quota on what it counts. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

const requirementsOf = (list: readonly JsonObject[]): ScopeRequirement[] =>
  list.map((one) => ({
    scope: text(one, 'scopeName'),
    operator: text(one, 'operator'),
    values: texts(one, 'values'),
  }));

/** Every condition of a quota, those named as scopes included. */
export function scopesOf(quota: JsonObject): ScopeRequirement[] {
  const spec = objectAt(quota, 'spec');
  return [
    ...texts(spec, 'scopes').map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...requirementsOf(items(objectAt(spec, 'scopeSelector'), 'matchExpressions')),
  ];
}

/** Whether a class that may be absent is one of those that a requirement names. */
export function classMatches(name: string, { operator, values }: ScopeRequirement): boolean {
  switch (operator) {
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return !values.includes(name);
    case 'DoesNotExist':
      return name === '';
    default:
      return name !== '';
  }
}
