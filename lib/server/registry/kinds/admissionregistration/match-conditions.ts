import type { MatchCondition } from '#lib/api/types/admissionregistration.v1.ts';
import { duplicate, type FieldError, type FieldPath, required, tooMany } from '#lib/machinery/validation/field.ts';
import { each, qualifiedName } from '../shared/validate.ts';
import { conditionErrors } from './expressions.ts';

const MAX = 64;

/** Upstream's validateMatchConditions. Conditions may use `params` if the policy has parameters. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
  params = false,
): FieldError[] {
  const seen = new Set<string>();
  return [
    ...(conditions.length > MAX ? [tooMany(path, conditions.length, MAX)] : []),
    ...each(conditions, path, (condition, where) => {
      const name = condition.name;
      const expression = condition.expression.trim();
      const again = name !== '' && seen.has(name) ? [duplicate(where.child('name'), name)] : [];
      seen.add(name);
      return [
        ...(expression === ''
          ? [required(where.child('expression'))]
          : conditionErrors(expression, where.child('expression'), params)),
        ...(name === '' ? [required(where.child('name'))] : qualifiedName(name, where.child('name'))),
        ...again,
      ];
    }),
  ];
}
