import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text, texts } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import {
  canonicalQuantity,
  compareQuantities,
  quantities,
  roundResources,
} from '#lib/machinery/resource/quantities.ts';
import { isStandardResource, validateResourceValue } from '#lib/component-helpers/resource/resource-names.ts';
import { keepField } from '../shared/status.ts';
import { validateResourceName } from './resource-name.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

const PODS = ['pods'];
const COMPUTE = [...PODS, 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
/** The resources that each scope can count. */
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

/** A resource that quotas count; bare storage is one of volumes only. */
const isQuotaResource = (name: string): boolean => name !== 'storage' && isStandardResource(name);

function amounts(object: JsonObject | undefined, list: string, path: FieldPath): FieldError[] {
  return quantities(object, list).flatMap(([name, value]) => {
    const where = path.child(list).key(name);
    const unknown = name.split('/').length === 1 && !isQuotaResource(name);
    return [
      ...validateResourceName(name, where),
      ...(unknown ? [invalid(where, name, 'must be a standard resource for quota')] : []),
      ...validateResourceValue(name, value, where),
    ];
  });
}

/** One error per resource that the scope cannot count. */
function uncountable(spec: JsonObject | undefined, scope: string): string[] {
  const counted = Object.hasOwn(SCOPES, scope) ? SCOPES[scope] : undefined;
  if (counted === undefined) return [];
  return quantities(spec, 'hard')
    .map(([name]) => name)
    .filter((name) => isQuotaResource(name) && !counted.includes(name));
}

const conflicts = (scopes: readonly string[]): boolean[] =>
  CONFLICTING.map((pair) => pair.every((scope) => scopes.includes(scope))).filter(Boolean);

function scopeErrors(spec: JsonObject | undefined): FieldError[] {
  const scopes = texts(spec, 'scopes');
  const path = SPEC.child('scopes');
  return [
    ...scopes.flatMap((scope) => [
      ...(Object.hasOwn(SCOPES, scope) ? [] : [invalid(path, scopes, 'unsupported scope')]),
      ...uncountable(spec, scope).map(() => invalid(path, scopes, 'unsupported scope applied to resource')),
    ]),
    ...conflicts(scopes).map(() => invalid(path, scopes, 'conflicting scopes')),
  ];
}

const EXISTS_ONLY = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];
const MUST_EXIST =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function selectorErrors(spec: JsonObject | undefined): FieldError[] {
  const selector = objectAt(spec, 'scopeSelector');
  const path = SPEC.child('scopeSelector', 'matchExpressions');
  const requirements = items(selector, 'matchExpressions');
  const scopes = requirements.map((requirement) => text(requirement, 'scopeName'));
  return [
    ...requirements.flatMap((requirement) => {
      const scope = text(requirement, 'scopeName');
      const operator = text(requirement, 'operator');
      const exists = EXISTS_ONLY.includes(scope) && operator !== 'Exists';
      return [
        ...(Object.hasOwn(SCOPES, scope) ? [] : [invalid(path.child('scopeName'), scope, 'unsupported scope')]),
        ...uncountable(spec, scope).map(() => invalid(path, shown(selector), 'unsupported scope applied to resource')),
        ...(exists ? [invalid(path.child('operator'), operator, MUST_EXIST)] : []),
        ...operatorErrors(operator, texts(requirement, 'values'), path),
      ];
    }),
    ...conflicts(scopes).map(() => invalid(path, texts(spec, 'scopes'), 'conflicting scopes')),
  ];
}

/** As Go's JSON has the selector's internal type. */
function shown(selector: JsonObject | undefined): ReadonlyMap<string, unknown> {
  const requirements = items(selector, 'matchExpressions').map(
    (one) =>
      new Map<string, unknown>([
        ['ScopeName', text(one, 'scopeName')],
        ['Operator', text(one, 'operator')],
        ['Values', ownField(one, 'values') ?? null],
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

function validateSpec(quota: JsonObject): FieldError[] {
  const spec = objectAt(quota, 'spec');
  return [...amounts(spec, 'hard', SPEC), ...scopeErrors(spec), ...selectorErrors(spec)];
}

function validateStatus(quota: JsonObject): FieldError[] {
  const status = objectAt(quota, 'status');
  return [...amounts(status, 'hard', STATUS), ...amounts(status, 'used', STATUS)];
}

function validateUpdate(quota: JsonObject, old: JsonObject): FieldError[] {
  const scopes = texts(objectAt(quota, 'spec'), 'scopes');
  const before = new Set(texts(objectAt(old, 'spec'), 'scopes'));
  const same = before.size === new Set(scopes).size && scopes.every((scope) => before.has(scope));
  return [...validateSpec(quota), ...(same ? [] : [invalid(SPEC.child('scopes'), scopes, IMMUTABLE)])];
}

/** Requests that are above the limits of the same resource. */
function warnings(quota: JsonObject, old?: JsonObject): string[] {
  const hard = objectAt(objectAt(quota, 'spec'), 'hard');
  if (old !== undefined) return [];
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const bare = !has(hard, `requests.${name}`) && (name === 'cpu' || name === 'memory');
    const [request, limit] = [bare ? name : `requests.${name}`, `limits.${name}`];
    if (!has(hard, request) || !has(hard, limit)) return [];
    const [asked, most] = [canonicalQuantity(text(hard, request)), canonicalQuantity(text(hard, limit))];
    if (compareQuantities(asked, most) <= 0) return [];
    return [`ResourceQuota ${request} (${asked}) should be less than ${limit} (${most})`];
  });
}

/** Upstream's pkg/registry/core/resourcequota. */
export const resourceQuotaStrategy: KindStrategy = {
  hasGeneration: false,
  default(quota) {
    roundResources(objectAt(quota, 'spec') ?? {}, 'hard');
    roundResources(objectAt(quota, 'status') ?? {}, 'hard', 'used');
  },
  prepareForCreate(quota) {
    quota['status'] = {};
  },
  prepareForUpdate: (quota, old) => keepField(quota, old, 'status'),
  validate: validateSpec,
  validateUpdate,
  warnings,
  subresources: {
    status: { prepareForUpdate: (quota, old) => keepField(quota, old, 'spec'), validateUpdate: validateStatus },
  },
};
