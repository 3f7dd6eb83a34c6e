import type { LimitRange, LimitRangeItem } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { isOvercommitAllowed } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { hasNoField, ownField, setField } from '#lib/machinery/json-value.ts';
import { newUid } from '#lib/machinery/random.ts';
import { canonicalQuantity, compareQuantities, roundResources } from '#lib/machinery/resource/quantities.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { each, qualifiedName } from '../shared/validate.ts';
import { validateContainerResourceName, validateResourceName } from './resource-name.ts';

const LIMITS = FieldPath.of('spec', 'limits');
const LISTS = ['max', 'min', 'default', 'defaultRequest'] as const;
const RATIO = 'maxLimitRequestRatio';

/** Copies the amounts that `target` lacks from `source`. */
function fillIn(target: Record<string, Quantity>, source: Record<string, Quantity> | undefined): void {
  for (const [name, amount] of Object.entries(source ?? {})) {
    if (!Object.hasOwn(target, name)) setField(target, name, amount);
  }
}

/** A container's default limit is its maximum. Its default request is that limit, or otherwise the minimum. */
function setDefaults(range: LimitRange): void {
  for (const limit of range.spec.limits ?? []) {
    roundResources(limit, ...LISTS, RATIO);
    if (limit.type !== 'Container') continue;
    const defaults = (limit.default ??= {});
    const requests = (limit.defaultRequest ??= {});
    fillIn(defaults, limit.max);
    fillIn(requests, defaults);
    fillIn(requests, limit.min);
    // Go omits an empty map.
    if (hasNoField(defaults)) delete limit.default;
    if (hasNoField(requests)) delete limit.defaultRequest;
  }
}

const TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

function typeErrors(type: string, path: FieldPath): FieldError[] {
  const errors = qualifiedName(type, path);
  if (errors.length > 0 || type.includes('/') || TYPES.includes(type)) return errors;
  return [invalid(path, type, 'must be a standard limit type or fully qualified')];
}

function validate(range: LimitRange): FieldError[] {
  const seen = new Set<string>();
  return each(range.spec.limits ?? [], LIMITS, (limit, path) => {
    const type = limit.type;
    const again = seen.has(type);
    seen.add(type);
    return [
      ...typeErrors(type, path.child('type')),
      ...(again ? [duplicate(path.child('type'), type)] : []),
      ...nameErrors(limit, type, path),
      ...amountErrors(limit, type, path),
    ];
  });
}

function nameErrors(limit: LimitRangeItem, type: string, path: FieldPath): FieldError[] {
  const check = type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const names = (list: keyof Amounts): FieldError[] =>
    sortedEntries(limit[list]).flatMap(([name]) => check(name, path.child(list).key(name)));
  const defaults = (list: keyof Amounts): FieldError[] => {
    if (type !== 'Pod') return names(list);
    const set = !hasNoField(limit[list] ?? {});
    return set ? [forbidden(path.child(list), "may not be specified when `type` is 'Pod'")] : [];
  };
  return [
    ...names('max'),
    ...names('min'),
    ...defaults('default'),
    ...defaults('defaultRequest'),
    ...claimStorage(limit, type, path),
    ...names(RATIO),
  ];
}

function claimStorage(limit: LimitRangeItem, type: string, path: FieldPath): FieldError[] {
  if (type !== 'PersistentVolumeClaim') return [];
  if (Object.hasOwn(limit.min ?? {}, 'storage') || Object.hasOwn(limit.max ?? {}, 'storage')) return [];
  const message = 'either minimum or maximum storage value is required, but neither was provided';
  return [required(path.child('limits'), message)];
}

type Amounts = Record<(typeof LISTS)[number] | typeof RATIO, string | undefined>;

function amountErrors(limit: LimitRangeItem, type: string, path: FieldPath): FieldError[] {
  const lists: readonly (keyof Amounts)[] = type === 'Pod' ? ['max', 'min', RATIO] : [...LISTS, RATIO];
  const names = [...new Set(lists.flatMap((list) => Object.keys(limit[list] ?? {})))].sort();
  const amount = (list: keyof Amounts, name: string): string | undefined => {
    const value = lists.includes(list) ? ownField(limit[list], name) : undefined;
    return value === undefined ? undefined : canonicalQuantity(value);
  };
  return names.flatMap((name) => {
    const amounts: Amounts = {
      max: amount('max', name),
      min: amount('min', name),
      default: amount('default', name),
      defaultRequest: amount('defaultRequest', name),
      maxLimitRequestRatio: amount(RATIO, name),
    };
    return [...order(amounts, name, path), ...ratio(amounts, name, path), ...overcommit(amounts, name, path)];
  });
}

/** `low` may not exceed `high`. The error names the field `at` and contains the value of `shown`. */
const ORDER: readonly [
  low: keyof Amounts,
  high: keyof Amounts,
  at: keyof Amounts,
  shown: keyof Amounts,
  text: string,
][] = [
  ['min', 'max', 'min', 'min', 'min value % is greater than max value %'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest', 'min value % is greater than default request value %'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest', 'default request value % is greater than max value %'],
  [
    'defaultRequest',
    'default',
    'defaultRequest',
    'defaultRequest',
    'default request value % is greater than default limit value %',
  ],
  ['min', 'default', 'default', 'min', 'min value % is greater than default value %'],
  ['default', 'max', 'default', 'max', 'default value % is greater than max value %'],
];

function order(amounts: Amounts, name: string, path: FieldPath): FieldError[] {
  return ORDER.flatMap(([low, high, at, shown, message]) => {
    const [small, large] = [amounts[low], amounts[high]];
    if (small === undefined || large === undefined || compareQuantities(small, large) <= 0) return [];
    const detail = message.replace('%', () => small).replace('%', () => large);
    return [invalid(path.child(at).key(name), amounts[shown], detail)];
  });
}

function ratio({ max, min, maxLimitRequestRatio: most }: Amounts, name: string, path: FieldPath): FieldError[] {
  if (most === undefined) return [];
  const where = path.child(RATIO).key(name);
  const errors = compareQuantities(most, '1') < 0 ? [invalid(where, most, `ratio ${most} is less than 1`)] : [];
  if (max === undefined || min === undefined) return errors;
  const limit = Number(quantityMilliValue(parseQuantity(max))) / Number(quantityMilliValue(parseQuantity(min)));
  if (Number(quantityMilliValue(parseQuantity(most))) / 1000 <= limit) return errors;
  const shown = Number.isFinite(limit) ? limit.toFixed(6) : '+Inf';
  return [...errors, invalid(where, most, `ratio ${most} is greater than max/min = ${shown}`)];
}

function overcommit({ default: limit, defaultRequest: request }: Amounts, name: string, path: FieldPath): FieldError[] {
  if (isOvercommitAllowed(name) || limit === undefined || request === undefined) return [];
  if (compareQuantities(limit, request) === 0) return [];
  const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${name}`;
  return [invalid(path.child('defaultRequest').key(name), request, detail)];
}

/** Upstream's pkg/registry/core/limitrange. */
export const limitRangeStrategy: KindStrategy<LimitRange> = {
  allowCreateOnUpdate: true,
  default: setDefaults,
  prepareForCreate(range) {
    range.metadata.name ||= newUid();
  },
  validate,
  validateUpdate: validate,
};
