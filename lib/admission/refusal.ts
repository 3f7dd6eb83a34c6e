import { forbidden, type StatusError } from '#lib/machinery/errors.ts';
import { generateNameOf, nameOf } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/registry/admission.ts';

/** Upstream's admission.NewForbidden: 403 that names the object. */
export function refusal({ resource, name, object }: Attributes, why: string): StatusError {
  const known = object === undefined ? '' : nameOf(object) || generateNameOf(object);
  return forbidden(resource, name || known || 'Unknown', why);
}

/** Whether the request is about objects of `group/resource` themselves, not about a subresource. */
export function isAbout({ resource, subresource }: Attributes, groupResource: string): boolean {
  return subresource === '' && `${resource.group}/${resource.resource}` === groupResource;
}
