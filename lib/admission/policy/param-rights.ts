import { SYSTEM_MASTERS, type User } from '#lib/authentication/user.ts';
import type { Authorizer } from '#lib/authorization/authorizer.ts';
import { invalid } from '#lib/machinery/errors.ts';
import { equal, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseApiVersion, type GroupVersionKind, type GroupVersionResource } from '#lib/machinery/schema.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import type { GuardedWrite, WriteGuard, WriteGuards } from '#lib/registry/guard.ts';
import type { ResourceDefinition } from '#lib/registry/resource.ts';
import { decodeStored, keyOf } from '#lib/registry/store/encode.ts';

const GROUP = 'admissionregistration.k8s.io';
const SPEC = FieldPath.of('spec');

interface Ports {
  readonly authorizer: Authorizer;
  readonly cluster: string;
  resourceOfKind(kind: GroupVersionKind): Promise<ResourceDefinition | undefined>;
}

/** Nobody lets a policy read for him what he may not read: upstream's authz.go beside each of the four strategies. */
export function paramGuards(ports: Ports): WriteGuards {
  const [validating, mutating] = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'];
  return {
    [`${GROUP}/validatingadmissionpolicies`]: policyGuard(ports, validating),
    [`${GROUP}/mutatingadmissionpolicies`]: policyGuard(ports, mutating),
    [`${GROUP}/validatingadmissionpolicybindings`]: bindingGuard(ports, validating),
    [`${GROUP}/mutatingadmissionpolicybindings`]: bindingGuard(ports, mutating),
  };
}

function policyGuard(ports: Ports, kind = ''): WriteGuard {
  return guardOf({ field: 'paramKind', kind }, async (write, paramKind) => {
    const before = objectAt(objectAt(write.old, 'spec'), 'paramKind');
    if (before !== undefined && equal(before, paramKind)) return '';
    const { resource } = await resolve(ports, paramKind);
    const refusal = await refusalOf(ports, write.user, { verb: 'get', name: '*', namespace: '*', ...resource });
    if (refusal !== DENIED) return refusal;
    const shown = `kind=${text(paramKind, 'kind')}, apiVersion=${text(paramKind, 'apiVersion')}`;
    return `user ${show(write.user)} must have "get" permission on all objects of the referenced paramKind (${shown})`;
  });
}

/** A binding is asked again with every update, as upstream, which compares pointers. */
function bindingGuard(ports: Ports, kind = ''): WriteGuard {
  return guardOf({ field: 'paramRef', kind: `${kind}Binding` }, async ({ object, user, resource }, ref) => {
    const policyName = text(objectAt(object, 'spec'), 'policyName');
    const policy = await policyOf(ports, { ...resource, kind }, policyName);
    const paramKind = objectAt(objectAt(policy, 'spec'), 'paramKind');
    const resolved = paramKind === undefined ? { resource: ANYTHING } : await resolve(ports, paramKind);
    const [name, namespace] = [text(ref, 'name'), text(ref, 'namespace')];
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

/** `check` gives the refusal, '' for none; it is not asked about who may do everything, nor where the field is absent. */
function guardOf(
  { field, kind }: Guarded,
  check: (write: GuardedWrite, value: JsonObject) => Promise<string>,
): WriteGuard {
  return {
    async wellFormed(write) {
      const value = objectAt(objectAt(write.object, 'spec'), field);
      if (value === undefined || write.user.groups.includes(SYSTEM_MASTERS)) return;
      const refusal = await check(write, value);
      if (refusal === '') return;
      throw invalid({ group: GROUP, kind }, nameOf(write.object), [forbidden(SPEC.child(field), refusal)]);
    },
  };
}

/** What is not known of a parameter's resource takes a right to all. */
const ANYTHING: GroupVersionResource = { group: '*', version: '*', resource: '*' };

interface Resolved {
  readonly resource: GroupVersionResource;
  readonly unknown?: string;
}

async function resolve(ports: Ports, paramKind: JsonObject): Promise<Resolved> {
  const kind = text(paramKind, 'kind');
  const shown = `paramKind &{${text(paramKind, 'apiVersion')} ${kind}}`;
  const groupVersion = parseApiVersion(text(paramKind, 'apiVersion'));
  if (groupVersion === undefined) return { resource: ANYTHING, unknown: `parse ${shown}` };
  const found = await ports.resourceOfKind({ ...groupVersion, kind });
  return found === undefined
    ? { resource: { ...ANYTHING, ...groupVersion }, unknown: `resolve ${shown}` }
    : { resource: { ...groupVersion, resource: found.resource.resource } };
}

async function policyOf(
  { cluster, resourceOfKind }: Ports,
  { group, version, kind }: GroupVersionKind,
  name: string,
): Promise<JsonObject | undefined> {
  const definition = await resourceOfKind({ group, version, kind });
  const key = definition && keyOf(definition, { cluster, namespace: '' }, name);
  const stored = key && (await definition.storage.get(key, { kind: 'fresh' }));
  return stored ? decodeStored(definition, stored) : undefined;
}

const DENIED = 'denied';

/** '' where he may, DENIED where not, otherwise why that is not known. */
async function refusalOf(
  { authorizer }: Ports,
  user: User,
  asked: GroupVersionResource & { readonly verb: string; readonly namespace: string; readonly name: string },
): Promise<string> {
  const { decision, error } = await authorizer(user, { isResourceRequest: true, path: '', subresource: '', ...asked });
  return decision === 'allow' ? '' : (error ?? DENIED);
}

/** A user as Go prints it. */
function show({ name, uid = '', groups, extra = {} }: User): string {
  const more = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${more.join(' ')}]}`;
}
