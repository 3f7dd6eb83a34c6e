import { clone, type JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Match } from '../matching/matcher.ts';
import { namespaceOfRequest } from '../matching/rule.ts';

/** Returns the request as reviews and expressions see it, without the fields that Go omits. */
export function admissionRequest(attributes: Attributes, { kind, resource }: Match): JsonObject {
  const { subresource, name, operation, dryRun, options, user } = attributes;
  const namespace = namespaceOfRequest(attributes);
  return {
    kind: { ...kind },
    resource: { ...resource },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...attributes.kind },
    requestResource: { ...attributes.resource },
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfo(user),
    dryRun,
    options: options === undefined ? null : clone(options),
  };
}

/** Returns the user as reviews and expressions see it: `authentication.v1.UserInfo`. */
export function userInfo({ name, uid = '', groups, extra = {} }: User): JsonObject {
  const more = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(more.length === 0 ? {} : { extra: Object.fromEntries(more) }),
  };
}
