import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from '#lib/api/types/resource.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import {
  compareQuantities as compare,
  canonicalQuantity as shown,
  sumOfQuantities,
  wholeValue,
} from '#lib/machinery/resource/quantities.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { repeatedAt } from '../shared/repeats.ts';

const MAX_VALUES = 10;

/** Upstream's validateRequestPolicy: the amounts that one request may consume of a capacity of `most`. */
export function requestPolicyErrors(policy: CapacityRequestPolicy, most: Quantity, path: FieldPath): FieldError[] {
  const values = policy.validValues ?? [];
  const range = policy.validRange;
  const standard = policy.default;
  if (values.length > 0 && range !== undefined) {
    return [
      forbidden(
        path,
        'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ),
    ];
  }
  if (values.length === 0 && range === undefined) return [];
  if (standard === null) {
    return [
      required(path.child('default'), `required when ${range === undefined ? 'validValues' : 'validRange'} is defined`),
    ];
  }
  return range === undefined
    ? valueErrors(values, standard, most, path.child('validValues'))
    : rangeErrors(range, standard, most, path.child('validRange'));
}

function valueErrors(values: readonly Quantity[], standard: Quantity, most: Quantity, path: FieldPath): FieldError[] {
  const sorted = values.flatMap((value, i) => {
    const before = values[i - 1];
    if (before === undefined || compare(before, value) <= 0) return [];
    return [invalid(path.index(i), shown(value), 'values must be sorted in ascending order')];
  });
  const known = values.map((value) => shown(value));
  const large = values.flatMap((value, i) =>
    compare(value, most) > 0
      ? [invalid(path.index(i), shown(value), `option is larger than capacity value: ${shown(most)}`)]
      : [],
  );
  const again = repeatedAt(known).map((i) => duplicate(path.index(i), known[i]));
  const many = values.length > MAX_VALUES;
  const listed = !many && values.some((value) => compare(value, standard) === 0);
  return [
    ...sorted,
    ...(many ? [tooMany(path, values.length, MAX_VALUES)] : [...large, ...again]),
    ...(listed ? [] : [invalid(path, shown(standard), 'default value is not valid according to the requestPolicy')]),
  ];
}

function rangeErrors(
  range: CapacityRequestPolicyRange,
  standard: Quantity,
  most: Quantity,
  path: FieldPath,
): FieldError[] {
  const { min, max: top, step } = range;
  if (min === undefined) return [required(path.child('min'), 'required when validRange is defined')];
  const when = (wrong: boolean, field: string, value: Quantity, message: string): FieldError[] =>
    wrong ? [invalid(path.child(field), shown(value), message)] : [];
  return [
    ...when(compare(min, most) > 0, 'min', min, `min is larger than capacity value: ${shown(most)}`),
    ...when(compare(standard, min) < 0, 'min', standard, `default is less than min: ${shown(min)}`),
    ...(top === undefined
      ? []
      : [
          ...when(compare(min, top) > 0, 'max', min, `min is larger than max: ${shown(top)}`),
          ...when(compare(top, most) > 0, 'max', top, `max is larger than capacity value: ${shown(most)}`),
          ...when(compare(standard, top) > 0, 'max', standard, `default is more than max: ${shown(top)}`),
        ]),
    ...(step !== undefined
      ? [
          ...stepErrors(sumOfQuantities(min, step), step, most, path.child('step')),
          ...(top === undefined ? [standard] : [standard, top]).flatMap((value) =>
            offSteps(value, min, step, path.child('step')),
          ),
        ]
      : []),
  ];
}

/** Validates that `value` is a whole number of steps above `min`. Upstream fails if the step is 0. */
function offSteps(value: Quantity, min: Quantity, step: Quantity, path: FieldPath): FieldError[] {
  const size = wholeValue(step);
  if (size === 0n || (wholeValue(value) - wholeValue(min)) % size === 0n) return [];
  const message = `value is not a multiple of a given step (${shown(step)}) from (${shown(min)})`;
  return [invalid(path, shown(value), message)];
}

function stepErrors(added: string, step: Quantity, most: Quantity, path: FieldPath): FieldError[] {
  if (compare(added, most) <= 0) return [];
  return [invalid(path, shown(step), `one step ${added} is larger than capacity value: ${shown(most)}`)];
}
