import type { Pod } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { NODES, PODS } from '#lib/api/types/resources.ts';
import { isMirrorPod, MIRROR_POD } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { notFound } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { labelsOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import { type AttributesOf, isAbout, refusal } from '../refusal.ts';
import { apiReference } from './api-references.ts';

/** Returns the name of the pod's node. Empty if it has none. */
export const nodeOf = (pod: Pod | undefined): string => pod?.spec.nodeName ?? '';

/** Returns the pod. Throws 404 with the text of upstream's listers if it does not exist. */
export async function podNamed(lookup: Lookup, namespace: string, name: string): Promise<Pod> {
  const pod = await lookup.find({ ...PODS, namespace }, name);
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name);
  return pod;
}

/** Lets a node create mirror pods of its static pods, and delete, evict and report the pods on it. Throws 403, and the 404 of lookups. */
export async function checkPod(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const { operation, subresource } = attributes;
  if (isAbout(attributes, PODS)) {
    if (operation === 'CREATE') return checkMirror(lookup, node, attributes);
    if (operation === 'DELETE') return checkDeletion(lookup, node, attributes);
    const why = `node ${quote(node)} can only create and delete mirror pods`;
    throw refusal(attributes, `unexpected operation ${quote(operation)}, ${why}`);
  }
  if (isAbout(attributes, PODS, 'status')) return checkStatus(node, attributes);
  if (subresource === 'eviction') return checkEviction(lookup, node, attributes);
  throw refusal(
    attributes,
    `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`,
  );
}

async function checkMirror(lookup: Lookup, node: string, attributes: AttributesOf<Pod>): Promise<void> {
  const { object: pod } = attributes;
  const who = `node ${quote(node)}`;
  const only = (what: string): Error => refusal(attributes, `${who} can only create pods with ${what}`);
  if (pod === undefined || !isMirrorPod(pod))
    throw refusal(attributes, `pod does not have ${quote(MIRROR_POD)} annotation, ${who} can only create mirror pods`);
  if (nodeOf(pod) !== node) throw only('spec.nodeName set to itself');
  const [owner, ...others] = pod.metadata.ownerReferences ?? [];
  if (others.length > 0) throw only('a single owner reference set to itself');
  if (owner === undefined || !isNode(owner, node)) throw only('an owner reference set to itself');
  if (owner.controller !== true) throw only('a controller owner reference set to itself');
  if (owner.blockOwnerDeletion === true)
    throw refusal(attributes, `${who} must not set blockOwnerDeletion on an owner reference`);
  const found = await lookup.find(NODES, node);
  if (found === undefined) throw notFound({ group: '', resource: 'node' }, node);
  if (owner.uid !== uidOf(found))
    throw refusal(attributes, `node ${node} UID mismatch: expected ${owner.uid} got ${uidOf(found)}`);
  const reference = apiReference(pod.spec);
  if (reference !== undefined) throw refusal(attributes, `${who} can not create pods that reference ${reference}`);
}

const isNode = (owner: OwnerReference, name: string): boolean =>
  owner.apiVersion === 'v1' && owner.kind === 'Node' && owner.name === name;

async function checkDeletion(lookup: Lookup, node: string, attributes: AttributesOf<Pod>): Promise<void> {
  const { namespace, name, oldObject } = attributes;
  const pod = oldObject ?? (await podNamed(lookup, namespace, name));
  if (nodeOf(pod) !== node)
    throw refusal(attributes, `node ${quote(node)} can only delete pods with spec.nodeName set to itself`);
}

function checkStatus(node: string, attributes: AttributesOf<Pod>): void {
  const { operation, object: pod, oldObject: old } = attributes;
  const who = `node ${quote(node)}`;
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${quote(operation)}`);
  if (pod === undefined || old === undefined || nodeOf(old) !== node)
    throw refusal(attributes, `${who} can only update pod status for pods with spec.nodeName set to itself`);
  if (!equal({ ...labelsOf(pod) }, { ...labelsOf(old) }))
    throw refusal(attributes, `${who} cannot update labels through pod status`);
  if (!equal(pod.status.resourceClaimStatuses ?? [], old.status.resourceClaimStatuses ?? []))
    throw refusal(attributes, `${who} cannot update resource claim statues`);
  if (!equal(pod.status.extendedResourceClaimStatus, old.status.extendedResourceClaimStatus))
    throw refusal(attributes, `${who} cannot update extended resource claim status`);
}

async function checkEviction(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const { operation, namespace, name, object = {} } = attributes;
  if (operation !== 'CREATE') throw refusal(attributes, `unexpected operation ${operation}`);
  const pod = name || nameOf(object);
  if (pod === '') throw refusal(attributes, 'could not determine pod from request data');
  if (nodeOf(await podNamed(lookup, namespace, pod)) !== node)
    throw refusal(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
