import { typedObject } from '#lib/api/typed.ts';
import { CLUSTER_ROLES } from '#lib/api/types/resources.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { badRequest, forbidden, notFound, unclassified } from '#lib/machinery/errors.ts';
import { quote, quoteList } from '#lib/machinery/go.ts';
import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { pathSegmentName } from '#lib/machinery/validation/path-segment.ts';
import { SYSTEM_MASTERS, type User } from '#lib/server/authentication/user.ts';
import type { GuardedWrite, WriteCheck, WriteGuard, WriteGuards } from '#lib/server/registry/guard.ts';
import { FRESH } from '#lib/storage/lookup.ts';
import type { Authorizer } from '../authorizer.ts';
import { type RoleRef, roleRefOf } from './binding.ts';
import { describeRights, uncovered } from './covers.ts';
import { type PolicySource, RBAC } from './policy-source.ts';
import { referencedRules, rulesFor, unresolvedRole } from './resolver.ts';
import { EMPTY_RULE, type PolicyRule, rulesOf } from './rule.ts';

const EVERYTHING: readonly PolicyRule[] = [
  { ...EMPTY_RULE, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { ...EMPTY_RULE, verbs: ['*'], nonResourceURLs: ['*'] },
];

interface Ports {
  readonly authorizer: Authorizer;
  readonly policies: PolicySource;
}

/** Rejects granting permissions that the user lacks, unless the user may `escalate` the role or `bind` it: upstream's pkg/registry/rbac. */
export function rbacGuards(ports: Ports): WriteGuards {
  const role = unlessTrusted((write) => guardRole(ports, write));
  const binding = unlessTrusted((write) => guardBinding(ports, write));
  return {
    [`${RBAC}/roles`]: role,
    [`${RBAC}/clusterroles`]: role,
    [`${RBAC}/rolebindings`]: binding,
    [`${RBAC}/clusterrolebindings`]: binding,
  };
}

/** Skips the check for the server itself, for administrators, and for changes that only affect garbage collection. */
function unlessTrusted(check: WriteCheck): WriteGuard {
  return {
    async admitted(write) {
      if (write.user.groups.includes(SYSTEM_MASTERS)) return;
      if (write.old !== undefined && equal(withoutCollected(write.object), withoutCollected(write.old))) return;
      await check(write);
    },
  };
}

function withoutCollected(object: JsonObject): JsonObject {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = metadataOf(object);
  return { ...object, metadata };
}

async function guardRole({ authorizer, policies }: Ports, write: GuardedWrite): Promise<void> {
  const { user, resource, object, old, namespace, requestName } = write;
  if (await may(authorizer, user, { verb: 'escalate', resource: resource.resource, namespace, name: requestName }))
    return;
  const owned = await ownedRules(policies, user, namespace);
  refuseMissing(write, owned, rulesOf(object));
  if (!isAggregated(object) && !isAggregated(old)) return;
  if (uncovered(owned.rules, EVERYTHING)?.length === 0) return;
  throw forbidden(resource, nameOf(object), 'must have cluster-admin privileges to use the aggregationRule');
}

/** False for a Role, which has no aggregation rule. */
const isAggregated = (role: JsonObject | undefined): boolean =>
  role !== undefined && (typedObject(CLUSTER_ROLES, role).aggregationRule?.clusterRoleSelectors ?? []).length > 0;

async function guardBinding({ authorizer, policies }: Ports, write: GuardedWrite): Promise<void> {
  const { user, object, namespace } = write;
  const ref = roleRefOf(object);
  const resource = resourceOf(ref);
  if (resource === undefined) throw unclassified(unresolvedRole(ref));
  if (await may(authorizer, user, { verb: 'bind', resource, namespace, name: ref.name })) return;
  refuseUnaskable(ref, namespace);
  const rules = referencedRules(await policies(FRESH), ref, namespace);
  if (rules === undefined) throw notFound(write.resource, ref.name); // upstream names the binding's resource
  refuseMissing(write, await ownedRules(policies, user, namespace), rules);
}

/** Throws 400 if the reference cannot point to a role. Upstream's lookup fails before the binding is validated. */
function refuseUnaskable({ kind, name }: RoleRef, namespace: string): void {
  if (kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.');
  if (name === '') throw badRequest('Name parameter required.');
  const [problem] = pathSegmentName(name, false);
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problem}`);
}

const resourceOf = ({ kind }: RoleRef): string | undefined =>
  kind === 'ClusterRole' ? 'clusterroles' : kind === 'Role' ? 'roles' : undefined;

interface RoleRight {
  readonly verb: 'escalate' | 'bind';
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

async function may(authorizer: Authorizer, user: User, asked: RoleRight): Promise<boolean> {
  const about = { isResourceRequest: true, path: '', group: RBAC, version: '*', subresource: '' };
  return (await authorizer(user, { ...about, ...asked })).decision === 'allow';
}

interface Owned {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

async function ownedRules(policies: PolicySource, user: User, namespace: string): Promise<Owned> {
  const resolved = [...rulesFor(await policies(FRESH), user, namespace)];
  return {
    rules: resolved.flatMap(({ rule }) => rule ?? []),
    missing: resolved.flatMap((one) => (one.rule === undefined ? one.missing : [])),
  };
}

/** Throws 403 with the rights that the user lacks: upstream's ConfirmNoEscalation. */
function refuseMissing({ user, resource, object }: GuardedWrite, owned: Owned, asked: readonly PolicyRule[]): void {
  const missing = uncovered(owned.rules, asked);
  if (missing?.length === 0) return;
  const lines = missing === undefined ? ['more of them than can be compared'] : describeRights(missing);
  const errors = aggregateText(owned.missing.map((ref) => unresolvedRole(ref, resource.resource)));
  const unknown = errors === '' ? '' : `; resolution errors: [${errors}]`;
  const head = `user ${quote(user.name)} (groups=${quoteList(user.groups)}) is attempting to grant RBAC permissions not currently held:`;
  throw forbidden(resource, nameOf(object), `${head}\n${lines.join('\n')}${unknown}`);
}
