import { notFound } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { RoleRef } from './binding.ts';
import { type Applies, bindingsOf, type Policy, roleRules } from './policy.ts';
import { RBAC } from './policy-source.ts';
import type { PolicyRule } from './rule.ts';

/** A user's rule and the binding that grants it, or a missing role that a binding refers to. */
export type ResolvedRules =
  | { readonly rule: PolicyRule; readonly source: Applies }
  | { readonly rule?: undefined; readonly missing: RoleRef };

/** All rules of the user in the namespace: those of cluster role bindings first, then those of role bindings. Upstream's VisitRulesFor. */
export function* rulesFor(policy: Policy, user: User, namespace: string): Generator<ResolvedRules> {
  yield* through(policy, bindingsOf(policy, { resource: 'clusterrolebindings', namespace: '' }, user));
  if (namespace === '') return;
  yield* through(policy, bindingsOf(policy, { resource: 'rolebindings', namespace }, user));
}

function* through(policy: Policy, bindings: readonly Applies[]): Generator<ResolvedRules> {
  for (const source of bindings) {
    const { roleRef, namespace } = source.binding;
    const rules = referencedRules(policy, roleRef, namespace);
    if (rules === undefined) yield { missing: roleRef };
    else for (const rule of rules) yield { rule, source };
  }
}

/** The rules of the role that a binding in the namespace refers to. Undefined if the role does not exist. */
export function referencedRules(
  policy: Policy,
  { kind, name }: RoleRef,
  namespace: string,
): readonly PolicyRule[] | undefined {
  if (kind === 'ClusterRole') return roleRules(policy, { resource: 'clusterroles', namespace: '' }, name);
  if (kind === 'Role') return roleRules(policy, { resource: 'roles', namespace }, name);
  return undefined;
}

/** The reason why a reference cannot be resolved. If the request itself caused the lookup, upstream names the `resource` of the request. */
export function unresolvedRole({ kind, name }: RoleRef, resource = kind.toLowerCase()): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${quote(kind)}`;
  return notFound({ group: RBAC, resource }, name).message;
}
