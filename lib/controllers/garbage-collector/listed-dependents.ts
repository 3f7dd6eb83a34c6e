import type { Client } from '#lib/client/client.ts';
import { forEachAtOnce } from '#lib/client/controller/for-each.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { discover, preferred, type ServedResource } from '#lib/client/discovery.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { arrayAt, equal, isObject, type Json, type JsonObject, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { finalizersOf, isDeleting, metadataOf, nameOf, ownerReferencesOf, uidOf } from '#lib/machinery/meta.ts';
import { asAdded } from '../first-hop.ts';
import { FOREGROUND, ORPHAN } from './decide.ts';
import { type Affected, type Node, nodeOf } from './graph.ts';

/** Finds the dependents of an owner in one namespace, or in all namespaces if it is empty. */
export type FindDependents = (owner: string, namespace: string) => Promise<readonly Node[]>;

/** Two ways to find dependents, for a process that does not see every change. */
export interface Dependents {
  /** The dependents known recently. A newer one is found via its own change. */
  readonly known: FindDependents;
  /** All dependents, for irreversible decisions. */
  readonly all: FindDependents;
}

const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const AT_ONCE = 8;

/** Finds dependents in a list of all objects' metadata. The result is exact, and the cost grows with the number of objects. */
export function listedDependents(client: Client): FindDependents {
  return async (owner, namespace) => {
    const all = await listOwned(client, namespace);
    return all.filter((one) => one.ownerReferences.some(({ uid }) => uid === owner)).map((one) => nodeOf(one));
  };
}

/** All objects with owners in a namespace, or in all namespaces if it is empty, as changes that create them. They contain only metadata. */
export async function listOwned(client: Client, namespace: string): Promise<readonly ObjectChange[]> {
  const kinds = preferred(await discover(client)).filter((kind) => isListed(kind, namespace));
  const found: ObjectChange[] = [];
  await forEachAtOnce(AT_ONCE, kinds, async (kind) => {
    for (const object of await metadataIn(client, kind, namespace)) {
      if (ownerReferencesOf(object).length > 0) found.push(asAdded(kind.resource, object));
    }
  });
  return found;
}

const isListed = ({ verbs, namespaced, resource }: ServedResource, namespace: string): boolean =>
  verbs.has('list') && verbs.has('delete') && resource.resource !== 'events' && (namespaced || namespace === '');

/** A kind that was removed after discovery has no objects. */
async function metadataIn(
  client: Client,
  { resource: kind }: ServedResource,
  namespace: string,
): Promise<JsonObject[]> {
  const { group, version, resource } = kind;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const path = `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${resource}`;
  const list = await client.document(path, METADATA).catch((error: unknown) => {
    if (!(error instanceof StatusError) || error.code !== 404) throw error;
    return {};
  });
  return arrayAt(list, 'items').filter(isObject);
}

/** The objects to check after a change, derived only from the change: those with new owners, and those that may have dependents. */
export function affectedBy(change: ObjectChange): Affected {
  const object = change.object();
  const { namespace } = change;
  const before = change.previous?.();
  if (change.type === 'DELETED') return { nodes: [], owners: [{ reference: referenceTo(object), namespace }] };
  const ends = isDeleting(object) && finalizersOf(object).some((name) => name === FOREGROUND || name === ORPHAN);
  const isOwned = ownerReferencesOf(object).length > 0;
  const isNews = isOwned && (before === undefined || !equal(references(before), references(object)));
  return { nodes: ends || isNews ? [nodeOf(change)] : [], owners: [] };
}

const references = (object: JsonObject): Json => ownField(metadataOf(object), 'ownerReferences') ?? [];

function referenceTo(object: JsonObject): Affected['owners'][number]['reference'] {
  const [apiVersion, kind] = [stringAt(object, 'apiVersion') ?? '', stringAt(object, 'kind') ?? ''];
  return { apiVersion, kind, name: nameOf(object), uid: uidOf(object), controller: false, blockOwnerDeletion: false };
}
