import { typedObject } from '#lib/api/typed.ts';
import { ROLE_BINDINGS } from '#lib/api/types/resources.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** The role that a binding grants, of kind Role or ClusterRole. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A user, group or service account in a binding. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** The namespace of a service account. Defaults to the namespace of the RoleBinding. */
  readonly namespace: string;
}

/** A RoleBinding, or a ClusterRoleBinding if the namespace is empty. */
export interface Binding {
  readonly name: string;
  readonly namespace: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** The role of a RoleBinding or ClusterRoleBinding. */
export function roleRefOf(binding: JsonObject): RoleRef {
  const { kind, name } = typedObject(ROLE_BINDINGS, binding).roleRef;
  return { kind, name };
}

/** A stored RoleBinding or ClusterRoleBinding. */
export function bindingOf(object: JsonObject): Binding {
  const namespace = namespaceOf(object);
  const { subjects = [] } = typedObject(ROLE_BINDINGS, object);
  return {
    name: nameOf(object),
    namespace,
    roleRef: roleRefOf(object),
    subjects: subjects.map((subject) => ({
      kind: subject.kind,
      name: subject.name,
      namespace: subject.namespace || namespace,
    })),
  };
}

/** The lookup key of the subject. Undefined if no user can match it. A service account has the key of its user name. */
export function subjectKey({ kind, name, namespace }: Subject): string | undefined {
  if (kind === 'User') return `user ${name}`;
  if (kind === 'Group') return `group ${name}`;
  if (kind !== 'ServiceAccount' || namespace === '') return undefined;
  return `user system:serviceaccount:${namespace}:${name}`;
}

/** The keys of all subjects that match the user. */
export const keysOf = ({ name, groups }: User): string[] => [
  `user ${name}`,
  ...groups.map((group) => `group ${group}`),
];

/** The reason for an allowed request, for example `RoleBinding "x/ns" of Role "y" to User "z"`. */
export function describeSource({ name, namespace, roleRef }: Binding, subject: Subject): string {
  const binding =
    namespace === '' ? `ClusterRoleBinding ${quote(name)}` : `RoleBinding ${quote(`${name}/${namespace}`)}`;
  return `${binding} of ${roleRef.kind} ${quote(roleRef.name)} to ${describeSubject(subject)}`;
}

const describeSubject = ({ kind, name, namespace }: Subject): string =>
  `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${namespace}` : name)}`;
