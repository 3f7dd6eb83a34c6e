import type { JsonObject } from '#lib/machinery/json-value.ts';
import { duplicate, required, tooMany, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { text } from '../shared/fields.ts';
import { each, qualifiedName } from '../shared/validate.ts';

const MAX = 64;

/** Upstream's validateMatchConditions, but for the expressions themselves, which are not compiled here. */
export function validateMatchConditions(conditions: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return [
    ...(conditions.length > MAX ? [tooMany(path, conditions.length, MAX)] : []),
    ...each(conditions, path, (condition, where) => {
      const name = text(condition, 'name');
      const again = name !== '' && seen.has(name) ? [duplicate(where.child('name'), name)] : [];
      seen.add(name);
      return [
        ...(text(condition, 'expression').trim() === '' ? [required(where.child('expression'))] : []),
        ...(name === '' ? [required(where.child('name'))] : qualifiedName(name, where.child('name'))),
        ...again,
      ];
    }),
  ];
}
