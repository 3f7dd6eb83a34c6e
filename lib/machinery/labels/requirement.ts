import { badRequest } from '../errors.ts';
import { parseInt64 } from '../int64.ts';
import { aggregate, type FieldError, invalid } from '../validation/field.ts';
import { isQualifiedName, isValidLabelValue } from '../validation/names.ts';

/** Upstream's `selection.Operator`. */
export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** A condition on one label. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** An object's labels. A value that is not a string counts as absent. */
export type Labels = Readonly<Record<string, unknown>> | undefined;

/** Checks the key, the number of values and the values like upstream's NewRequirement. Throws 400. */
export function newRequirement(key: string, operator: Operator, values: readonly string[]): Requirement {
  const requirement = { key, operator, values };
  const errors = requirementErrors(requirement);
  if (errors.length > 0) throw badRequest(aggregate(errors));
  return requirement;
}

/** The errors of upstream's NewRequirement, each under the requirement's own field. */
export function requirementErrors({ key, operator, values }: Requirement): FieldError[] {
  const errors = isQualifiedName(key).length > 0 ? [keyError('key', key)] : [];
  errors.push(...countErrors(operator, values));
  for (const [i, value] of values.entries()) {
    const messages = isValidLabelValue(value);
    if (messages.length > 0) errors.push(invalid(`values[${i}][${key}]`, value, messages.join('; ')));
  }
  return errors;
}

/** The field error of a label key that is not a qualified name. */
export function keyError(path: string, key: string): FieldError {
  return invalid(path, key, isQualifiedName(key).join('; '));
}

function countErrors(operator: Operator, values: readonly string[]): FieldError[] {
  const wrong = (when: boolean, why: string): FieldError[] => (when ? [invalid('values', values, why)] : []);
  switch (operator) {
    case 'in':
    case 'notin':
      return wrong(values.length === 0, "for 'in', 'notin' operators, values set can't be empty");
    case '=':
    case '==':
    case '!=':
      return wrong(values.length !== 1, 'exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return wrong(values.length > 0, 'values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...wrong(values.length !== 1, "for 'Gt', 'Lt' operators, exactly one value is required"),
        ...notIntegers(values),
      ];
    default:
      return operator satisfies never;
  }
}

function notIntegers(values: readonly string[]): FieldError[] {
  return values.flatMap((value, i) =>
    parseInt64(value) === undefined
      ? [invalid(`values[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
      : [],
  );
}

/** Whether labels satisfy a requirement. A missing key satisfies `!=`, `notin` and `!`. */
export function requirementMatches({ key, operator, values }: Requirement, labels: Labels): boolean {
  const found = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  const value = typeof found === 'string' ? found : undefined;
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value);
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
      return compares(value, values[0], (a, b) => a > b);
    case 'lt':
      return compares(value, values[0], (a, b) => a < b);
    default:
      return operator satisfies never;
  }
}

function compares(a: string | undefined, b: string | undefined, is: (a: bigint, b: bigint) => boolean): boolean {
  const left = a === undefined ? undefined : parseInt64(a);
  const right = b === undefined ? undefined : parseInt64(b);
  return left !== undefined && right !== undefined && is(left, right);
}

const SIGNS = { '=': '=', '==': '==', '!=': '!=', in: ' in ', notin: ' notin ', gt: '>', lt: '<' } as const;

/** Formats the requirement in selector syntax: `key in (a,b)`. */
export function requirementText({ key, operator, values }: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const list = [...values].sort().join(',');
  return `${key}${SIGNS[operator]}${operator === 'in' || operator === 'notin' ? `(${list})` : list}`;
}
