import type { ResourceQuota, ResourceQuotaSpec, ScopeSelector } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { isStandardResource, validateResourceValue } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { canonicalQuantity, compareQuantities, roundResources } from '#lib/machinery/resource/quantities.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { keepField } from '../shared/status.ts';
import { validateResourceName } from './resource-name.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

const PODS = ['pods'];
const COMPUTE = [...PODS, 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
/** The resources that each scope supports. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  Terminating: COMPUTE,
  NotTerminating: COMPUTE,
  BestEffort: PODS,
  NotBestEffort: COMPUTE,
  PriorityClass: COMPUTE,
  CrossNamespacePodAffinity: COMPUTE,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const CONFLICTING = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** Whether quotas count the resource. Plain `storage` applies only to volumes. */
const isQuotaResource = (name: string): boolean => name !== 'storage' && isStandardResource(name);

function amountErrors(amounts: Record<string, Quantity> | undefined, path: FieldPath): FieldError[] {
  return sortedEntries(amounts).flatMap(([name, value]) => {
    const where = path.key(name);
    const unknown = name.split('/').length === 1 && !isQuotaResource(name);
    return [
      ...validateResourceName(name, where),
      ...(unknown ? [invalid(where, name, 'must be a standard resource for quota')] : []),
      ...validateResourceValue(name, value, where),
    ];
  });
}

/** The quota's resources that scopes may not count. Computed once, because there may be as many scopes as resources. */
const standardResources = (spec: ResourceQuotaSpec): string[] =>
  Object.keys(spec.hard ?? {})
    .filter(isQuotaResource)
    .sort();

/** One error per resource that the scope cannot count. */
function uncountable(names: readonly string[], scope: string): readonly string[] {
  const counted = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
  return counted === undefined ? [] : names.filter((name) => !counted.includes(name));
}

/**
 * The first index of each scope. A duplicate scope reports no more resource errors. Otherwise the number of errors could be scopes times
 * resources.
 */
const firstPlaces = (scopes: readonly string[]): ReadonlyMap<string, number> =>
  new Map(scopes.map((scope, i) => [scope, i] as const).reverse());

const conflicts = (scopes: readonly string[]): boolean[] =>
  CONFLICTING.map((pair) => pair.every((scope) => scopes.includes(scope))).filter(Boolean);

function scopeErrors(spec: ResourceQuotaSpec): FieldError[] {
  const scopes = spec.scopes ?? [];
  const [names, first] = [standardResources(spec), firstPlaces(scopes)];
  const path = SPEC.child('scopes');
  return [
    ...scopes.flatMap((scope, i) => {
      if (!Object.hasOwn(SCOPES, scope)) return [invalid(path, scopes, 'unsupported scope')];
      const uncounted = first.get(scope) === i ? uncountable(names, scope) : [];
      return uncounted.map(() => invalid(path, scopes, 'unsupported scope applied to resource'));
    }),
    ...conflicts(scopes).map(() => invalid(path, scopes, 'conflicting scopes')),
  ];
}

const EXISTS_ONLY = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const MUST_EXIST =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function selectorErrors(spec: ResourceQuotaSpec): FieldError[] {
  const selector = spec.scopeSelector;
  const path = SPEC.child('scopeSelector', 'matchExpressions');
  const requirements = selector?.matchExpressions ?? [];
  const names = standardResources(spec);
  const scopes = requirements.map((requirement) => requirement.scopeName);
  const first = firstPlaces(scopes);
  const given = shown(selector);
  return [
    ...requirements.flatMap((requirement, i) => {
      const scope = requirement.scopeName;
      const operator = requirement.operator;
      const exists = EXISTS_ONLY.includes(scope) && operator !== 'Exists';
      return [
        ...(Object.hasOwn(SCOPES, scope) ? [] : [invalid(path.child('scopeName'), scope, 'unsupported scope')]),
        ...(first.get(scope) === i ? uncountable(names, scope) : []).map(() =>
          invalid(path, given, 'unsupported scope applied to resource'),
        ),
        ...(exists ? [invalid(path.child('operator'), operator, MUST_EXIST)] : []),
        ...operatorErrors(operator, requirement.values ?? [], path),
      ];
    }),
    ...conflicts(scopes).map(() => invalid(path, spec.scopes ?? [], 'conflicting scopes')),
  ];
}

/** The selector in Go's JSON encoding of its internal type. */
function shown(selector: ScopeSelector | undefined): ReadonlyMap<string, unknown> {
  const requirements = (selector?.matchExpressions ?? []).map(
    (one) =>
      new Map<string, unknown>([
        ['ScopeName', one.scopeName],
        ['Operator', one.operator],
        ['Values', one.values ?? null],
      ]),
  );
  return new Map([['MatchExpressions', requirements]]);
}

function operatorErrors(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  const where = path.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(where, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [
        invalid(where, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
      ];
    default:
      return [invalid(path.child('operator'), operator, 'not a valid selector operator')];
  }
}

function validateSpec({ spec }: ResourceQuota): FieldError[] {
  return [...amountErrors(spec.hard, SPEC.child('hard')), ...scopeErrors(spec), ...selectorErrors(spec)];
}

function validateStatus({ status }: ResourceQuota): FieldError[] {
  return [...amountErrors(status.hard, STATUS.child('hard')), ...amountErrors(status.used, STATUS.child('used'))];
}

function validateUpdate(quota: ResourceQuota, old: ResourceQuota): FieldError[] {
  const scopes = quota.spec.scopes ?? [];
  const before = new Set(old.spec.scopes ?? []);
  const same = before.size === new Set(scopes).size && scopes.every((scope) => before.has(scope));
  return [...validateSpec(quota), ...(same ? [] : [invalid(SPEC.child('scopes'), scopes, IMMUTABLE)])];
}

/** Warns about requests that exceed the limits of the same resource. */
function warnings(quota: ResourceQuota, old?: ResourceQuota): string[] {
  const hard = quota.spec.hard;
  if (old !== undefined) return [];
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const bare = ownField(hard, `requests.${name}`) === undefined && (name === 'cpu' || name === 'memory');
    const [request, limit] = [bare ? name : `requests.${name}`, `limits.${name}`];
    const [least, bound] = [ownField(hard, request), ownField(hard, limit)];
    if (least === undefined || bound === undefined) return [];
    const [asked, most] = [canonicalQuantity(least), canonicalQuantity(bound)];
    if (compareQuantities(asked, most) <= 0) return [];
    return [`ResourceQuota ${request} (${asked}) should be less than ${limit} (${most})`];
  });
}

/** Upstream's pkg/registry/core/resourcequota. */
export const resourceQuotaStrategy: KindStrategy<ResourceQuota> = {
  hasGeneration: false,
  default(quota) {
    roundResources(quota.spec, 'hard');
    roundResources(quota.status, 'hard', 'used');
  },
  prepareForCreate(quota) {
    quota.status = {};
  },
  prepareForUpdate: (quota, old) => keepField(quota, old, 'status'),
  validate: validateSpec,
  validateUpdate,
  warnings,
  subresources: {
    status: { prepareForUpdate: (quota, old) => keepField(quota, old, 'spec'), validateUpdate: validateStatus },
  },
};
