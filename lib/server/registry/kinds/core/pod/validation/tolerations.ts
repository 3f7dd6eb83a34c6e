import type { Toleration } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_INT64, MIN_INT64 } from '#lib/machinery/integer-limits.ts';
import { type FieldError, type FieldPath, invalid, notSupported } from '#lib/machinery/validation/field.ts';
import { isDecimalInteger } from '#lib/machinery/validation/formats.ts';
import { validateLabelName } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { each } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';

const ANY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Upstream's ValidateTolerations. */
export function validateTolerations(
  list: readonly Toleration[],
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  return each(list, path, ({ key = '', operator = '', value = '', effect = '', tolerationSeconds }, at) => {
    const errors = key === '' ? [] : validateLabelName(key, at.child('key'));
    if (key === '' && operator !== 'Exists') errors.push(invalid(at.child('operator'), operator, ANY));
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const message = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(at.child('effect'), effect, message));
    }
    errors.push(...validateValue(value, operator, at, options));
    if (effect !== '' && !EFFECTS.includes(effect)) errors.push(notSupported(at.child('effect'), effect, EFFECTS));
    return errors;
  });
}

function validateValue(value: string, operator: string, path: FieldPath, options: PodValidationOptions): FieldError[] {
  const where = path.child('operator');
  switch (operator) {
    case '':
    case 'Equal': {
      const messages = isValidLabelValue(value);
      return messages.length === 0 ? [] : [invalid(where, value, messages.join(';'))];
    }
    case 'Exists':
      return value === '' ? [] : [invalid(where, value, "value must be empty when `operator` is 'Exists'")];
    case 'Lt':
    case 'Gt':
      if (options.allowComparisonTolerations) return numeric(value, path.child('value'));
      return [notSupported(where, operator, ['Equal', 'Exists', 'Lt', 'Gt'])];
    default:
      return [notSupported(where, operator, ['Equal', 'Exists'])];
  }
}

function numeric(value: string, path: FieldPath): FieldError[] {
  const errors = isDecimalInteger(value).map((message) => invalid(path, value, message));
  const problem = parseProblem(value);
  if (problem === undefined) return errors;
  return [...errors, invalid(path, value, `strconv.ParseInt: parsing ${quote(value)}: ${problem}`)];
}

function parseProblem(value: string): string | undefined {
  if (!/^[+-]?[0-9]{1,400}$/.test(value)) return 'invalid syntax';
  const number = BigInt(value.replace('+', ''));
  return number > MAX_INT64 || number < MIN_INT64 ? 'value out of range' : undefined;
}
