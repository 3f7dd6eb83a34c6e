import type { ResourceClaim, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
  isOvercommitAllowed,
  isStandardContainerResource,
  isStandardResource,
  pagesDivide,
  validateResourceValue,
} from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { canonicalQuantity, compareQuantities, quantities } from '#lib/machinery/resource/quantities.ts';
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { dns1123Label, each, qualifiedName } from '../../../shared/validate.ts';
import type { PodScope } from './scope.ts';

type NameCheck = (name: string, path: FieldPath) => FieldError[];
type Scope = Pick<PodScope, 'claimNames' | 'options'>;

/** Upstream's ValidateContainerResourceRequirements. */
export function validateContainerResources(
  resources: ResourceRequirements | undefined,
  path: FieldPath,
  scope: Scope,
): FieldError[] {
  return validateRequirements(resources, path, scope, containerResourceName);
}

/** Validates pod-level resources, only some of which are supported. */
export function validatePodLevelResources(
  resources: ResourceRequirements,
  path: FieldPath,
  scope: Scope,
): FieldError[] {
  return validateRequirements(resources, path, scope, podResourceName);
}

function validateRequirements(
  resources: ResourceRequirements | undefined,
  path: FieldPath,
  scope: Scope,
  nameCheck: NameCheck,
): FieldError[] {
  const limits = quantities(resources, 'limits');
  const requests = quantities(resources, 'requests');
  const limitOf = new Map(limits);
  const limitsPath = path.child('limits');
  const requestsPath = path.child('requests');
  return [
    ...limits.flatMap(([name, value]) => quantity(name, value, limitsPath.key(name), scope, nameCheck)),
    ...requests.flatMap(([name, value]) => {
      const own = quantity(name, value, requestsPath.key(name), scope, nameCheck);
      return [...own, ...againstLimit(name, value, limitOf.get(name), requestsPath, limitsPath)];
    }),
    ...hugePagesAlone(
      [...limits, ...requests].map(([name]) => name),
      path,
    ),
    ...validateClaims(resources?.claims ?? [], path.child('claims'), scope.claimNames),
  ];
}

function quantity(
  name: string,
  value: string,
  path: FieldPath,
  { options }: Scope,
  nameCheck: NameCheck,
): FieldError[] {
  const errors = [...nameCheck(name, path), ...validateResourceValue(name, value, path)];
  if (!isHugePages(name) || options.allowIndivisibleHugePages || pagesDivide(name, value)) return errors;
  const shown = canonicalQuantity(value);
  return [...errors, invalid(path, shown, `${shown} is not positive integer multiple of ${name}`)];
}

function againstLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: FieldPath,
  limitsPath: FieldPath,
): FieldError[] {
  if (limit === undefined) {
    if (isOvercommitAllowed(name)) return [];
    return [required(limitsPath, 'Limit must be set for non overcommitable resources')];
  }
  const order = compareQuantities(request, limit);
  const exact = !isOvercommitAllowed(name);
  if (exact ? order === 0 : order <= 0) return [];
  const relation = exact ? 'equal to' : 'less than or equal to';
  const message = `must be ${relation} ${name} limit of ${canonicalQuantity(limit)}`;
  return [invalid(path, canonicalQuantity(request), message)];
}

function hugePagesAlone(names: readonly string[], path: FieldPath): FieldError[] {
  const alone = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory');
  return alone ? [forbidden(path, 'HugePages require cpu or memory')] : [];
}

function resourceName(name: string, path: FieldPath): FieldError[] {
  const errors = qualifiedName(name, path);
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors;
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

function containerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceName(name, path);
  if (!name.includes('/')) {
    if (isStandardContainerResource(name)) return errors;
    return [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name) || isExtendedResource(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

function podResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceName(name, path);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return errors;
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}

/** Claims are unique by name, or by name and request, and the pod has each of them. */
function validateClaims(
  claims: readonly ResourceClaim[],
  path: FieldPath,
  podClaims: ReadonlySet<string>,
): FieldError[] {
  const seen = new Map<string, Set<string>>();
  return each(claims, path, ({ name, request = '' }, at) => {
    if (name === '') return [required(at)];
    return [...claimOnce(name, request, seen, at), ...claimOfPod(name, podClaims, at)];
  });
}

/** `seen` maps each claim to its requests. The empty request means all requests. */
function claimOnce(name: string, request: string, seen: Map<string, Set<string>>, path: FieldPath): FieldError[] {
  const requests = seen.get(name) ?? new Set();
  seen.set(name, requests);
  if (requests.has('')) return [duplicate(path, name)];
  const errors = request === '' ? [] : dns1123Label(request, path.child('request'));
  if (requests.has(request)) errors.push(duplicate(path, `${name}/${request}`));
  else if (request === '') errors.push(...[...requests].map(() => duplicate(path, name)));
  requests.add(request);
  return errors;
}

function claimOfPod(name: string, podClaims: ReadonlySet<string>, path: FieldPath): FieldError[] {
  if (podClaims.has(name)) return [];
  const names = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`;
  return [{ ...notFound(path, name), detail: `must be one of the names in pod.spec.resourceClaims${names}` }];
}
