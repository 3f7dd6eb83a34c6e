import { notFound } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf, metadataOf, nameOf, uidOf } from '#lib/machinery/meta.ts';
import { ensure, flag, items, text } from '#lib/machinery/unstructured.ts';
import type { Lookup } from '#lib/storage/lookup.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import { refusal } from '../refusal.ts';
import { apiReference } from './api-references.ts';

const PODS = { group: '', resource: 'pods' };
const NODES = { group: '', resource: 'nodes' };
const MIRROR = 'kubernetes.io/config.mirror';

export const nodeOf = (pod: JsonObject | undefined): string => text(objectAt(pod, 'spec'), 'nodeName');

/** The pod; throws 404 where there is none, in the words of upstream's listers. */
export async function podNamed(lookup: Lookup, namespace: string, name: string): Promise<JsonObject> {
  const pod = await lookup.find({ ...PODS, namespace }, name);
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name);
  return pod;
}

/** A node creates mirrors of what it runs by itself, and deletes, evicts and reports its own pods. */
export async function checkPod(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const { operation, subresource } = attributes;
  switch (subresource) {
    case '':
      if (operation === 'CREATE') return checkMirror(lookup, node, attributes);
      if (operation === 'DELETE') return checkDeletion(lookup, node, attributes);
      throw refusal(
        attributes,
        `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`,
      );
    case 'status':
      return checkStatus(node, attributes);
    case 'eviction':
      return checkEviction(lookup, node, attributes);
    default:
      throw refusal(
        attributes,
        `unexpected pod subresource ${quote(subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

async function checkMirror(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const pod = attributes.object ?? {};
  const who = `node ${quote(node)}`;
  const only = (what: string): Error => refusal(attributes, `${who} can only create pods with ${what}`);
  if (!(MIRROR in annotationsOf(pod)))
    throw refusal(attributes, `pod does not have ${quote(MIRROR)} annotation, ${who} can only create mirror pods`);
  if (nodeOf(pod) !== node) throw only('spec.nodeName set to itself');
  const [owner, ...others] = items(metadataOf(pod), 'ownerReferences');
  if (others.length > 0) throw only('a single owner reference set to itself');
  if (owner === undefined || !isNode(owner, node)) throw only('an owner reference set to itself');
  if (flag(owner, 'controller') !== true) throw only('a controller owner reference set to itself');
  if (flag(owner, 'blockOwnerDeletion') === true)
    throw refusal(attributes, `${who} must not set blockOwnerDeletion on an owner reference`);
  const found = await lookup.find(NODES, node);
  if (found === undefined) throw notFound({ group: '', resource: 'node' }, node);
  if (text(owner, 'uid') !== uidOf(found))
    throw refusal(attributes, `node ${node} UID mismatch: expected ${text(owner, 'uid')} got ${uidOf(found)}`);
  const reference = apiReference(ensure({ ...pod }, 'spec'));
  if (reference !== undefined) throw refusal(attributes, `${who} can not create pods that reference ${reference}`);
}

const isNode = (owner: JsonObject, name: string): boolean =>
  text(owner, 'apiVersion') === 'v1' && text(owner, 'kind') === 'Node' && text(owner, 'name') === name;

async function checkDeletion(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const { namespace, name, oldObject } = attributes;
  const pod = oldObject ?? (await podNamed(lookup, namespace, name));
  if (nodeOf(pod) !== node)
    throw refusal(attributes, `node ${quote(node)} can only delete pods with spec.nodeName set to itself`);
}

function checkStatus(node: string, attributes: Attributes): void {
  const { operation, object = {}, oldObject = {} } = attributes;
  const who = `node ${quote(node)}`;
  if (operation !== 'UPDATE') throw refusal(attributes, `unexpected operation ${quote(operation)}`);
  if (nodeOf(oldObject) !== node)
    throw refusal(attributes, `${who} can only update pod status for pods with spec.nodeName set to itself`);
  if (!equal({ ...labelsOf(object) }, { ...labelsOf(oldObject) }))
    throw refusal(attributes, `${who} cannot update labels through pod status`);
  if (!equal(claimStatuses(object), claimStatuses(oldObject)))
    throw refusal(attributes, `${who} cannot update resource claim statues`);
  if (!equal(extendedClaim(object), extendedClaim(oldObject)))
    throw refusal(attributes, `${who} cannot update extended resource claim status`);
}

const claimStatuses = (pod: JsonObject): JsonObject[] => items(objectAt(pod, 'status'), 'resourceClaimStatuses');
const extendedClaim = (pod: JsonObject) => ownField(objectAt(pod, 'status'), 'extendedResourceClaimStatus');

async function checkEviction(lookup: Lookup, node: string, attributes: Attributes): Promise<void> {
  const { operation, namespace, name, object = {} } = attributes;
  if (operation !== 'CREATE') throw refusal(attributes, `unexpected operation ${operation}`);
  const pod = name || nameOf(object);
  if (pod === '') throw refusal(attributes, 'could not determine pod from request data');
  if (nodeOf(await podNamed(lookup, namespace, pod)) !== node)
    throw refusal(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
}
