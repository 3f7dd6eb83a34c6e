import { equal, type JsonObject, ownField } from '#lib/machinery/json-value.ts';
import { metadataOf } from '#lib/machinery/meta.ts';
import { type GroupVersionKind, type GroupVersionResource, parseApiVersion } from '#lib/machinery/schema.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { refusal } from '../refusal.ts';

/** The ports of OwnerReferencesPermissionEnforcement. */
export interface OwnerReferencePorts {
  readonly authorizer: Authorizer;
  /** Returns the resource of a served kind. */
  resourceOfKind(
    kind: GroupVersionKind,
  ): Promise<{ readonly resource: GroupVersionResource; readonly namespaced: boolean } | undefined>;
}

/** Requires the right to delete an object before its owners change, and to finalize an owner before the object blocks its deletion. */
export function ownerReferencesPermissionEnforcement(ports: OwnerReferencePorts): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    operations: ['CREATE', 'UPDATE'],
    async validate(attributes) {
      const { resource, subresource, object, oldObject, operation } = attributes;
      if (object === undefined || (resource.group === '' && resource.resource === 'pods' && subresource === 'status'))
        return;
      const before = oldObject === undefined ? [] : ownersOf(oldObject);
      if (equal(ownersOf(object), before)) return;
      if (operation !== 'CREATE') await mayDelete(ports, attributes);
      await mayBlock(
        ports,
        attributes,
        ownersOf(object).filter((owner) => blocksAnew(owner, before)),
      );
    },
  };
}

const ownersOf = (object: JsonObject): JsonObject[] => items(metadataOf(object), 'ownerReferences');
const blocks = (owner: JsonObject): boolean => flag(owner, 'blockOwnerDeletion') === true;
const blocksAnew = (owner: JsonObject, before: readonly JsonObject[]): boolean =>
  blocks(owner) && !before.some((one) => ownField(one, 'uid') === ownField(owner, 'uid') && blocks(one));

interface OwnerRight {
  readonly verb: string;
  readonly resource: GroupVersionResource;
  readonly namespace: string;
  readonly subresource: string;
  readonly name: string;
}

async function reasonAgainst(authorizer: Authorizer, user: User, asked: OwnerRight): Promise<string | undefined> {
  const { verb, resource, namespace, subresource, name } = asked;
  const at = { isResourceRequest: true, path: '', verb, ...resource, namespace, subresource, name };
  const { decision, reason } = await authorizer(user, at);
  return decision === 'allow' ? undefined : `${reason}, <nil>`;
}

async function mayDelete({ authorizer }: OwnerReferencePorts, attributes: Attributes): Promise<void> {
  const { user, resource, namespace, subresource, name } = attributes;
  const why = await reasonAgainst(authorizer, user, { verb: 'delete', resource, namespace, subresource, name });
  if (why !== undefined) throw refusal(attributes, `cannot set an ownerRef on a resource you can't delete: ${why}`);
}

async function mayBlock(
  { authorizer, resourceOfKind }: OwnerReferencePorts,
  attributes: Attributes,
  owners: readonly JsonObject[],
): Promise<void> {
  const { user } = attributes;
  const update = { verb: 'update', subresource: 'finalizers' };
  const anything = { group: '*', version: '*', resource: '*' };
  if (owners.length === 0) return;
  if (
    (await reasonAgainst(authorizer, user, { ...update, resource: anything, namespace: '', name: '*' })) === undefined
  )
    return;
  for (const owner of owners) {
    const [version, kind] = [text(owner, 'apiVersion'), text(owner, 'kind')];
    const parsed = parseApiVersion(version);
    const found = parsed && (await resourceOfKind({ ...parsed, kind }));
    const head = 'cannot set blockOwnerDeletion';
    if (found === undefined) {
      const unknown = `no matches for kind "${kind}" in version "${version}"`;
      const why = `${head} in this case because cannot find RESTMapping for APIVersion ${version} Kind ${kind}: ${unknown}`;
      throw refusal(attributes, why);
    }
    const namespace = found.namespaced ? attributes.namespace : '';
    const asked = { ...update, resource: found.resource, namespace, name: text(owner, 'name') };
    const why = await reasonAgainst(authorizer, user, asked);
    if (why === undefined) continue;
    throw refusal(attributes, `${head} if an ownerReference refers to a resource you can't set finalizers on: ${why}`);
  }
}
