import { quote } from '#lib/machinery/go.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import type { User } from '#lib/authentication/user.ts';

export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** Of an account; in a RoleBinding its own where it says none. */
  readonly namespace: string;
}

/** A RoleBinding, or, without a namespace, a ClusterRoleBinding. */
export interface Binding {
  readonly name: string;
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

export function roleRefOf(binding: JsonObject): RoleRef {
  const ref = objectAt(binding, 'roleRef');
  return { kind: text(ref, 'kind'), name: text(ref, 'name') };
}

export function bindingOf(object: JsonObject): Binding {
  const namespace = namespaceOf(object);
  return {
    name: nameOf(object),
    namespace,
    roleRef: roleRefOf(object),
    subjects: items(object, 'subjects').map((subject) => ({
      kind: text(subject, 'kind'),
      name: text(subject, 'name'),
      namespace: text(subject, 'namespace') || namespace,
    })),
  };
}

/** What the subject is found by; undefined for one that is nobody. An account is the user of its name. */
export function subjectKey({ kind, name, namespace }: Subject): string | undefined {
  if (kind === 'User') return `user ${name}`;
  if (kind === 'Group') return `group ${name}`;
  if (kind !== 'ServiceAccount' || namespace === '') return undefined;
  return `user system:serviceaccount:${namespace}:${name}`;
}

/** The keys of all subjects that the user is. */
export const keysOf = ({ name, groups }: User): string[] => [
  `user ${name}`,
  ...groups.map((group) => `group ${group}`),
];

/** `RoleBinding "x/ns" of Role "y" to User "z"`: why something is allowed. */
export function describeSource({ name, namespace, roleRef }: Binding, subject: Subject): string {
  const binding =
    namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${binding} of ${roleRef.kind} ${quote(roleRef.name)} to ${describeSubject(subject)}`;
}

const describeSubject = ({ kind, name, namespace }: Subject): string =>
  `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${namespace}` : name)}`;
