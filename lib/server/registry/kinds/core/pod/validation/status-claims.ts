import type {
  ContainerExtendedResourceRequest,
  Pod,
  PodExtendedResourceClaimStatus,
  PodResourceClaimStatus,
  PodSpec,
} from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { duplicate, type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { dns1123Label, each, namesOf, objectName } from '../../../shared/validate.ts';

/** Validates the resource claims in a pod's status. */
export function validateClaimStatuses({ spec, status }: Pod, path: FieldPath): FieldError[] {
  const extended = status.extendedResourceClaimStatus;
  return [
    ...claimStatuses(status.resourceClaimStatuses ?? [], spec, path.child('resourceClaimStatuses')),
    ...(extended === undefined ? [] : extendedStatus(extended, spec, path.child('extendedResourceClaimStatus'))),
  ];
}

function claimStatuses(list: readonly PodResourceClaimStatus[], spec: PodSpec, path: FieldPath): FieldError[] {
  const claims = namesOf(spec.resourceClaims ?? []);
  const seen = new Set<string>();
  return each(list, path, ({ name, resourceClaimName: claim }, where) => {
    const again = seen.has(name);
    seen.add(name);
    const unknown = 'must match the name of an entry in `spec.resourceClaims`';
    return [
      ...(claims.has(name) ? [] : [invalid(where.child('name'), name, unknown)]),
      ...(again ? [duplicate(where.child('name'), name)] : []),
      ...(claim === undefined ? [] : objectName(claim, where.child('resourceClaimName'))),
    ];
  });
}

const NO_RESOURCE =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
const NO_CONTAINER = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const KEYS = ['containerName', 'resourceName', 'requestName'] as const;

function extendedStatus(status: PodExtendedResourceClaimStatus, spec: PodSpec, path: FieldPath): FieldError[] {
  const mappings = status.requestMappings ?? [];
  const where = path.child('requestMappings');
  const claim = status.resourceClaimName;
  const claimPath = path.child('resourceClaimName');
  const seen = new Set<string>();
  return [
    ...(mappings.length === 0 ? [required(where, 'at least one request mapping is required')] : []),
    ...each(mappings, where, (mapping, one) => [
      ...mapped(mapping, spec, one),
      ...dns1123Label(mapping.requestName, path.child('requestName')),
      ...repeated(mapping, seen, one),
    ]),
    ...(claim === '' ? [required(claimPath)] : objectName(claim, claimPath)),
  ];
}

function mapped(
  { containerName: name, resourceName: resource }: ContainerExtendedResourceRequest,
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const container = containers.findLast((one) => one.name === name);
  if (container === undefined) return [invalid(path.child('containerName'), name, NO_CONTAINER)];
  if (ownField(container.resources.requests, resource) !== undefined) return [];
  return [invalid(path.child('resourceName'), resource, NO_RESOURCE)];
}

function repeated(mapping: ContainerExtendedResourceRequest, seen: Set<string>, path: FieldPath): FieldError[] {
  const key = JSON.stringify(KEYS.map((field) => mapping[field]));
  if (seen.has(key)) return KEYS.map((field) => duplicate(path.child(field), mapping[field]));
  seen.add(key);
  return [];
}
