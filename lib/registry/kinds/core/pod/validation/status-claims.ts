import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
import { duplicate, invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { dns1123Label, each, namesOf, objectName } from '../../../shared/validate.ts';

/** What a pod's status says of its resource claims. */
export function validateClaimStatuses(pod: JsonObject, path: FieldPath): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const status = objectAt(pod, 'status');
  const extended = objectAt(status, 'extendedResourceClaimStatus');
  return [
    ...claimStatuses(items(status, 'resourceClaimStatuses'), spec, path.child('resourceClaimStatuses')),
    ...(extended === undefined ? [] : extendedStatus(extended, spec, path.child('extendedResourceClaimStatus'))),
  ];
}

function claimStatuses(list: readonly JsonObject[], spec: JsonObject, path: FieldPath): FieldError[] {
  const claims = namesOf(items(spec, 'resourceClaims'));
  const seen = new Set<string>();
  return each(list, path, (status, where) => {
    const name = text(status, 'name');
    const again = seen.has(name);
    seen.add(name);
    const unknown = 'must match the name of an entry in `spec.resourceClaims`';
    return [
      ...(claims.has(name) ? [] : [invalid(where.child('name'), name, unknown)]),
      ...(again ? [duplicate(where.child('name'), name)] : []),
      ...(has(status, 'resourceClaimName')
        ? objectName(text(status, 'resourceClaimName'), where.child('resourceClaimName'))
        : []),
    ];
  });
}

const NO_RESOURCE =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';
const NO_CONTAINER = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const KEYS = ['containerName', 'resourceName', 'requestName'];

function extendedStatus(status: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const mappings = items(status, 'requestMappings');
  const where = path.child('requestMappings');
  const claim = text(status, 'resourceClaimName');
  const claimPath = path.child('resourceClaimName');
  const seen = new Set<string>();
  return [
    ...(mappings.length === 0 ? [required(where, 'at least one request mapping is required')] : []),
    ...each(mappings, where, (mapping, one) => [
      ...mapped(mapping, spec, one),
      ...dns1123Label(text(mapping, 'requestName'), path.child('requestName')),
      ...repeated(mapping, seen, one),
    ]),
    ...(claim === '' ? [required(claimPath)] : objectName(claim, claimPath)),
  ];
}

function mapped(mapping: JsonObject, spec: JsonObject, path: FieldPath): FieldError[] {
  const name = text(mapping, 'containerName');
  const resource = text(mapping, 'resourceName');
  const containers = [...items(spec, 'initContainers'), ...items(spec, 'containers')];
  const container = containers.findLast((one) => text(one, 'name') === name);
  if (container === undefined) return [invalid(path.child('containerName'), name, NO_CONTAINER)];
  if (has(at(container, 'resources', 'requests'), resource)) return [];
  return [invalid(path.child('resourceName'), resource, NO_RESOURCE)];
}

function repeated(mapping: JsonObject, seen: Set<string>, path: FieldPath): FieldError[] {
  const key = JSON.stringify(KEYS.map((field) => text(mapping, field)));
  if (seen.has(key)) return KEYS.map((field) => duplicate(path.child(field), text(mapping, field)));
  seen.add(key);
  return [];
}
