import { typedObject } from '#lib/api/typed.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamKind,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '#lib/api/types/admissionregistration.v1.ts';
import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
} from '#lib/api/types/resources.ts';
import { invalid } from '#lib/machinery/errors.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import {
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
  type ResourceOf,
} from '#lib/machinery/schema.ts';
import { FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { SYSTEM_MASTERS, type User } from '#lib/server/authentication/user.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { GuardedWrite, WriteGuard, WriteGuards } from '#lib/server/registry/guard.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import { decodeStored, keyOf } from '#lib/server/registry/store/encode.ts';

const GROUP = 'admissionregistration.k8s.io';
const SPEC = FieldPath.of('spec');

interface Ports {
  readonly authorizer: Authorizer;
  readonly cluster: string;
  resourceOfKind(kind: GroupVersionKind): Promise<ResourceDefinition | undefined>;
}

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
type PolicyBinding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/** A resource of policies or bindings, with its kind. */
interface Registered<T extends Policy | PolicyBinding> {
  readonly resource: ResourceOf<T>;
  readonly kind: string;
}

const VALIDATING: Registered<ValidatingAdmissionPolicy> = {
  resource: VALIDATING_ADMISSION_POLICIES,
  kind: 'ValidatingAdmissionPolicy',
};
const MUTATING: Registered<MutatingAdmissionPolicy> = {
  resource: MUTATING_ADMISSION_POLICIES,
  kind: 'MutatingAdmissionPolicy',
};

/** Requires the right to read the params that a policy or binding names, like upstream's authz.go of the four strategies. */
export function paramGuards(ports: Ports): WriteGuards {
  return {
    [`${GROUP}/validatingadmissionpolicies`]: policyGuard(ports, VALIDATING),
    [`${GROUP}/mutatingadmissionpolicies`]: policyGuard(ports, MUTATING),
    [`${GROUP}/validatingadmissionpolicybindings`]: bindingGuard(
      ports,
      VALIDATING_ADMISSION_POLICY_BINDINGS,
      VALIDATING,
    ),
    [`${GROUP}/mutatingadmissionpolicybindings`]: bindingGuard(ports, MUTATING_ADMISSION_POLICY_BINDINGS, MUTATING),
  };
}

function policyGuard<T extends Policy>(ports: Ports, { resource: policies, kind }: Registered<T>): WriteGuard {
  return guardOf({ field: 'paramKind', kind }, async ({ object, old, user }) => {
    const { paramKind } = typedObject(policies, object).spec;
    if (paramKind === undefined) return '';
    const before = old && typedObject(policies, old).spec.paramKind;
    if (before !== undefined && equal(before, paramKind)) return '';
    const { resource } = await resolve(ports, paramKind);
    const refusal = await refusalOf(ports, user, { verb: 'get', name: '*', namespace: '*', ...resource });
    if (refusal !== DENIED) return refusal;
    const shown = `kind=${paramKind.kind ?? ''}, apiVersion=${paramKind.apiVersion ?? ''}`;
    return `user ${show(user)} must have "get" permission on all objects of the referenced paramKind (${shown})`;
  });
}

/** Checks a binding again on every update, like upstream, which compares pointers. */
function bindingGuard<T extends Policy>(
  ports: Ports,
  bindings: ResourceOf<PolicyBinding>,
  policies: Registered<T>,
): WriteGuard {
  return guardOf({ field: 'paramRef', kind: `${policies.kind}Binding` }, async ({ object, user, resource }) => {
    const { paramRef, policyName = '' } = typedObject(bindings, object).spec;
    if (paramRef === undefined) return '';
    const policy = await policyOf(ports, policies, resource.version, policyName);
    const paramKind = policy?.spec.paramKind;
    const resolved = paramKind === undefined ? { resource: ANYTHING } : await resolve(ports, paramKind);
    const { name = '', namespace = '' } = paramRef;
    const verb = name === '' ? 'list' : 'get';
    const refusal = await refusalOf(ports, user, { verb, name, namespace, ...resolved.resource });
    if (refusal === '') return '';
    if (refusal !== DENIED) return `failed to authorize request: ${refusal}`;
    const unknown = policy === undefined ? `get policy ${policyName}` : resolved.unknown;
    return unknown === undefined
      ? `user ${show(user)} does not have "${verb}" permission on the object referenced by paramRef`
      : `unable to ${unknown} to determine minimum required permissions and user ${show(user)} does not have "${verb}" permission for all groups, versions and resources`;
  });
}

interface Guarded {
  readonly field: 'paramKind' | 'paramRef';
  readonly kind: string;
}

/** Returns a guard. `check` returns the reason for a rejection, '' for none. Superusers are not checked. */
function guardOf({ field, kind }: Guarded, check: (write: GuardedWrite) => Promise<string>): WriteGuard {
  return {
    async wellFormed(write) {
      if (write.user.groups.includes(SYSTEM_MASTERS)) return;
      const refusal = await check(write);
      if (refusal === '') return;
      throw invalid({ group: GROUP, kind }, nameOf(write.object), [forbidden(SPEC.child(field), refusal)]);
    },
  };
}

/** Replaces an unknown resource, so that it requires the right to all resources. */
const ANYTHING: GroupVersionResource = { group: '*', version: '*', resource: '*' };

interface Resolved {
  readonly resource: GroupVersionResource;
  readonly unknown?: string;
}

async function resolve(ports: Ports, { apiVersion = '', kind = '' }: ParamKind): Promise<Resolved> {
  const shown = `paramKind &{${apiVersion} ${kind}}`;
  const groupVersion = parseApiVersion(apiVersion);
  if (groupVersion === undefined) return { resource: ANYTHING, unknown: `parse ${shown}` };
  const found = await ports.resourceOfKind({ ...groupVersion, kind });
  return found === undefined
    ? { resource: { ...ANYTHING, ...groupVersion }, unknown: `resolve ${shown}` }
    : { resource: { ...groupVersion, resource: found.resource.resource } };
}

async function policyOf<T extends Policy>(
  { cluster, resourceOfKind }: Ports,
  { resource, kind }: Registered<T>,
  version: string,
  name: string,
): Promise<T | undefined> {
  const definition = await resourceOfKind({ group: resource.group, version, kind });
  const key = definition && keyOf(definition, { cluster, namespace: '' }, name);
  const stored = key && (await definition.storage.get(key, { kind: 'fresh' }));
  return stored ? typedObject(resource, decodeStored(definition, stored)) : undefined;
}

const DENIED = 'denied';

/** Returns '' if the user has the right, DENIED if not, or the authorizer's error. */
async function refusalOf(
  { authorizer }: Ports,
  user: User,
  asked: GroupVersionResource & { readonly verb: string; readonly namespace: string; readonly name: string },
): Promise<string> {
  const { decision, error } = await authorizer(user, { isResourceRequest: true, path: '', subresource: '', ...asked });
  return decision === 'allow' ? '' : (error ?? DENIED);
}

/** Formats a user like Go. */
function show({ name, uid = '', groups, extra = {} }: User): string {
  const more = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${more.join(' ')}]}`;
}
