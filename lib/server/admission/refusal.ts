import { forbidden, type StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generateNameOf, nameOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';

/** Returns upstream's admission.NewForbidden: a 403 that names the object. */
export function refusal({ resource, name, object }: Attributes, why: string): StatusError {
  const known = object === undefined ? '' : nameOf(object) || generateNameOf(object);
  return forbidden(resource, name || known || 'Unknown', why);
}

/** A request for objects of a known type. */
export interface AttributesOf<T extends JsonObject> extends Attributes {
  readonly object?: T;
  readonly oldObject?: T;
}

/**
 * Whether the request concerns objects of the resource itself, or the given subresource. The type is that of the request's objects: a
 * TokenRequest for `token` of a ServiceAccount.
 */
export function isAbout<T extends JsonObject>(
  attributes: Attributes,
  { group, resource }: ResourceOf<T>,
  subresource = '',
): attributes is AttributesOf<T> {
  const { resource: asked } = attributes;
  return attributes.subresource === subresource && asked.resource === resource && asked.group === group;
}
