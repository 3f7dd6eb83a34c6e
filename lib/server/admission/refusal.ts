import { forbidden, type StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { generateNameOf, nameOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';

/** Upstream's admission.NewForbidden: 403 that names the object. */
export function refusal({ resource, name, object }: Attributes, why: string): StatusError {
  const known = object === undefined ? '' : nameOf(object) || generateNameOf(object);
  return forbidden(resource, name || known || 'Unknown', why);
}

/** A request about objects whose type is known. */
export interface AttributesOf<T extends JsonObject> extends Attributes {
  readonly object?: T;
  readonly oldObject?: T;
}

/**
 * Whether the request is about objects of the resource themselves, not about a subresource; or about the given subresource. The type is
 * that of the objects of the request: for `token` of a ServiceAccount that of a TokenRequest.
 */
export function isAbout<T extends JsonObject>(
  attributes: Attributes,
  { group, resource }: ResourceOf<T>,
  subresource = '',
): attributes is AttributesOf<T> {
  const { resource: asked } = attributes;
  return attributes.subresource === subresource && asked.resource === resource && asked.group === group;
}
