import type { User } from '#lib/server/authentication/user.ts';
import type { FlowSchema, ResourceRule, SchemaRule, Subject, UrlRule } from './configuration.ts';

/** The attributes of a request that flow schemas match: upstream's RequestDigest. */
export interface RequestDigest {
  readonly user: User;
  readonly info: {
    readonly isResourceRequest: boolean;
    readonly path: string;
    readonly verb: string;
    readonly group: string;
    readonly namespace: string;
    readonly resource: string;
    readonly subresource: string;
    readonly name: string;
  };
}

type Info = RequestDigest['info'];

/** Whether the request matches the schema. */
export function matches({ user, info }: RequestDigest, schema: FlowSchema): boolean {
  return schema.rules.some((rule) => rule.subjects.some((subject) => isSubject(user, subject)) && isAsked(info, rule));
}

function isSubject(user: User, { kind, name, namespace }: Subject): boolean {
  switch (kind) {
    case 'User':
      return name === '*' || name === user.name;
    case 'Group':
      return name === '*' || user.groups.includes(name);
    case 'ServiceAccount': {
      const prefix = `system:serviceaccount:${namespace}:`;
      return name === '*' ? user.name.startsWith(prefix) : user.name === prefix + name;
    }
    default:
      return false;
  }
}

function isAsked(info: Info, rule: SchemaRule): boolean {
  return info.isResourceRequest
    ? rule.resources.some((one) => isResource(info, one))
    : rule.urls.some((one) => isUrl(info, one));
}

function isResource(info: Info, { verbs, groups, resources, namespaces, clusterScope }: ResourceRule): boolean {
  const { verb, group, resource, subresource, namespace } = info;
  return (
    has(verbs, verb) &&
    has(resources, subresource === '' ? resource : `${resource}/${subresource}`) &&
    has(groups, group) &&
    (namespace === '' ? clusterScope : has(namespaces, namespace))
  );
}

function isUrl({ verb, path }: Info, { verbs, urls }: UrlRule): boolean {
  return has(verbs, verb) && urls.some((url) => url === '*' || url === path || path.startsWith(directoryOf(url)));
}

/** Returns the URL as a directory. Upstream treats every URL of a rule as one, with or without a trailing star. */
function directoryOf(url: string): string {
  const plain = url.endsWith('*') ? url.slice(0, -1) : url;
  return plain.endsWith('/') ? plain : `${plain}/`;
}

/** Whether the list contains the value. The wildcard applies only if it is the sole entry. */
const has = (list: readonly string[], value: string): boolean =>
  (list.length === 1 && list[0] === '*') || list.includes(value);
