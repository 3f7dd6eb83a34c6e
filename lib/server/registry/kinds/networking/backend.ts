import type { TypedLocalObjectReference } from '#lib/api/types/core.v1.ts';
import type {
  IngressBackend,
  IngressClassParametersReference,
  IngressServiceBackend,
  ServiceBackendPort,
} from '#lib/api/types/networking.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { checked } from '../shared/validate.ts';

/** Validates the backend of an ingress: a service port, or a resource that the controller defines. */
export function validateBackend(backend: IngressBackend, path: FieldPath): FieldError[] {
  const resource = backend.resource;
  const service = backend.service;
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return validateReference(resource, path.child('resource'));
  if (service !== undefined) return validateService(service, path);
  return [invalid(path, '', 'resource or service backend is required')];
}

function validateService(service: IngressServiceBackend, path: FieldPath): FieldError[] {
  const name = service.name;
  const where = path.child('service', 'name');
  return [
    ...(name === '' ? [required(where)] : checked(name, where, isDNS1123Label)),
    ...validatePort(service.port, path),
  ];
}

function validatePort(port: ServiceBackendPort, path: FieldPath): FieldError[] {
  const [name, number] = [port.name ?? '', port.number ?? 0];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return checked(name, path.child('service', 'port', 'name'), isValidPortName);
  if (number === 0) return [required(path, 'port name or number is required')];
  return isValidPortNum(number).map((message) => invalid(path.child('service', 'port', 'number'), number, message));
}

/** Validates a reference by group, kind and name. */
export function validateReference(
  reference: TypedLocalObjectReference | IngressClassParametersReference,
  path: FieldPath,
): FieldError[] {
  const { apiGroup: group } = reference;
  return [
    ...(typeof group === 'string' ? checked(group, path.child('apiGroup'), isDNS1123Subdomain) : []),
    ...pathSegment<typeof reference>(reference, 'kind', path),
    ...pathSegment<typeof reference>(reference, 'name', path),
  ];
}

/** Validates the text at `field`: required, and a valid path segment. */
export function pathSegment<T extends JsonObject>(object: T, field: keyof T & string, path: FieldPath): FieldError[] {
  const value = text(object, field);
  const where = path.child(field);
  return value === '' ? [required(where)] : checked(value, where, (name) => pathSegmentName(name, false));
}
