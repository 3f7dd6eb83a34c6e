import { encodeJson } from '#lib/machinery/json.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import { compareKeys, objectKey } from '#lib/storage/keys.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { Attributes } from '../authorizer.ts';
import { ruleOf, subjectOf } from './bootstrap-policy/table.ts';
import { type Policy, policyOf } from './policy.ts';
import { RBAC } from './policy-source.ts';

/** A role or binding in test tables: the path `roles/ns/name` and the content. */
export type Stored = readonly [path: string, content: JsonObject];

/** The key prefix of roles and bindings. */
export const ROOT = `main/${RBAC}/`;

/** The content of a Role, for example `role('get,list core pods', 'get /healthz')`, with rules in the format of `ruleOf`. */
export const role = (...rules: string[]): JsonObject => ({ rules: rules.map(ruleOf) });

/**
 * Example: `binding('ClusterRole admin', 'User bob', 'ServiceAccount ns/name')`. An account without a namespace is in the namespace of the
 * binding.
 */
export function binding(to: string, ...subjects: string[]): JsonObject {
  const [kind = '', name = ''] = to.split(' ');
  return { roleRef: { apiGroup: RBAC, kind, name }, subjects: subjects.map(subject) };
}

function subject(row: string): JsonObject {
  const local = /^ServiceAccount ([^/]+)$/.exec(row);
  return local?.[1] === undefined ? subjectOf(row) : { kind: 'ServiceAccount', name: local[1] };
}

/** A policy that consists of these objects. */
export function aPolicy(...objects: Stored[]): Policy {
  return policyOf(ROOT, storedObjects(...objects));
}

/** The objects in the form that storage lists. */
export function storedObjects(...objects: Stored[]): StoredObject[] {
  return objects.map(storedObject).sort((a, b) => compareKeys(a.key, b.key));
}

function storedObject([path, content]: Stored): StoredObject {
  const [resource = '', namespace = '', name = ''] = path.split('/');
  const key = objectKey({ cluster: 'main', group: RBAC, resource, namespace, name });
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  const body = encodeJson({ metadata, ...content });
  const summary = { labels: {}, fields: {}, generation: 0, ownerReferences: [] };
  return { key, version: 1, body: Buffer.from(body), summary, views: new Map() };
}

/** Parses `get ns core pods/log x`, `get - core nodes` or `get /healthz`. */
export function asks(text: string): Attributes {
  const [verb = '', namespace = '', group = '', target = '', name = ''] = text.split(' ');
  const base = { verb, version: 'v1', path: '', group: '', namespace: '', resource: '', subresource: '', name };
  if (namespace.startsWith('/')) return { ...base, isResourceRequest: false, path: namespace, version: '' };
  const [resource = '', subresource = ''] = target.split('/');
  const where = { namespace: namespace === '-' ? '' : namespace, group: group === 'core' ? '' : group };
  return { ...base, ...where, isResourceRequest: true, resource, subresource };
}

/** A user in these groups. */
export const aUser = (name: string, ...groups: string[]): User => ({ name, groups });
