import { typedObject } from '#lib/api/typed.ts';
import { RESOURCE_QUOTAS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** One condition that an object must meet to count towards a quota. */
export interface ScopeRequirement {
  readonly scope: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/** Every condition of a ResourceQuota, including its scopes. */
export function scopesOf(quota: JsonObject): ScopeRequirement[] {
  const { scopes = [], scopeSelector } = typedObject(RESOURCE_QUOTAS, quota).spec;
  const selected = scopeSelector?.matchExpressions ?? [];
  return [
    ...scopes.map((scope) => ({ scope, operator: 'Exists', values: [] })),
    ...selected.map(({ scopeName, operator, values = [] }) => ({ scope: scopeName, operator, values })),
  ];
}

/** Whether a class, which may be absent, is among those of a requirement. */
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
