import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, text } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { isValidPortName, isValidPortNum } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { checked } from '../shared/validate.ts';

/** What an ingress sends requests to: a service's port, or a resource of the controller's own. */
export function validateBackend(backend: JsonObject, path: FieldPath): FieldError[] {
  const resource = objectAt(backend, 'resource');
  const service = objectAt(backend, 'service');
  if (resource !== undefined && service !== undefined) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return validateReference(resource, path.child('resource'));
  if (service !== undefined) return validateService(service, path);
  return [invalid(path, '', 'resource or service backend is required')];
}

function validateService(service: JsonObject, path: FieldPath): FieldError[] {
  const name = text(service, 'name');
  const where = path.child('service', 'name');
  return [
    ...(name === '' ? [required(where)] : checked(name, where, isDNS1123Label)),
    ...validatePort(objectAt(service, 'port'), path),
  ];
}

function validatePort(port: JsonObject | undefined, path: FieldPath): FieldError[] {
  const [name, number] = [text(port, 'name'), count(port, 'number')];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return checked(name, path.child('service', 'port', 'name'), isValidPortName);
  if (number === 0) return [required(path, 'port name or number is required')];
  return isValidPortNum(number).map((message) => invalid(path.child('service', 'port', 'number'), number, message));
}

/** A reference by group, kind and name. */
export function validateReference(reference: JsonObject, path: FieldPath): FieldError[] {
  const group = text(reference, 'apiGroup');
  return [
    ...(has(reference, 'apiGroup') ? checked(group, path.child('apiGroup'), isDNS1123Subdomain) : []),
    ...pathSegment(reference, 'kind', path),
    ...pathSegment(reference, 'name', path),
  ];
}

/** The text at `field`, required, and fit for a path. */
export function pathSegment(object: JsonObject, field: string, path: FieldPath): FieldError[] {
  const value = text(object, field);
  const where = path.child(field);
  return value === '' ? [required(where)] : checked(value, where, (name) => pathSegmentName(name, false));
}
