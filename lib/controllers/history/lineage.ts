import type { Client } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { ObjectChange } from '#lib/controller/reconciler.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { claim, controllerReference, dependentsOf, type Claimant } from '../workload/claim.ts';
import type { OwnerIndex } from '../workload/owner-index.ts';
import { byNumber, collisionsOf, isRevisionOf, numberOf, revisionFor } from './revision.ts';

export const REVISIONS: GroupVersionResource = { group: 'apps', version: 'v1', resource: 'controllerrevisions' };

/** Owners that a change of a revision concerns. One that comes with its owner concerns nobody: who made it knows. */
export function ownersOfRevision(index: OwnerIndex, change: ObjectChange): readonly string[] {
  const keys = index.keys(change);
  const isRevision = change.group === REVISIONS.group && change.resource === REVISIONS.resource;
  return isRevision && change.type === 'ADDED' && controllerOf(change.object()) !== undefined ? [] : keys;
}

/** The revisions that the owner controls, those included that it adopts. */
export async function revisionsOf(
  client: Client,
  { ref, apiVersion, kind, object, selector }: Claimant,
  index: OwnerIndex,
): Promise<readonly JsonObject[]> {
  const claimant: Claimant = { ref, apiVersion, kind, object, selector, dependents: REVISIONS };
  return claim(client, claimant, await dependentsOf(client, claimant, index.controlledBy(uidOf(object))));
}

export interface Lineage {
  /** The revision that brings back what the owner asks for. */
  readonly update: JsonObject;
  /** Others that bring back the same, which were there before they had this owner. */
  readonly same: readonly JsonObject[];
  /** The rest, oldest first. */
  readonly old: readonly JsonObject[];
  /** How often the name of a revision was found taken; undefined where that never was so. */
  readonly collisions: number | undefined;
}

/**
 * Finds or makes the revision of what the owner asks for, and gives it the highest number: going back to a template takes its
 * old revision. `held` are those that the owner controls.
 */
export async function lineageOf(
  client: Client,
  claimant: Claimant,
  held: readonly JsonObject[],
  hashLabel: string,
): Promise<Lineage> {
  const { object: owner } = claimant;
  const sorted = held.toSorted(byNumber);
  const old = sorted.filter((one) => !isRevisionOf(owner, one));
  const equal = sorted.filter((one) => !old.includes(one));
  const next = Math.max(0, ...old.map(numberOf)) + 1;
  const newest = equal.at(-1);
  if (newest === undefined) return { ...(await create(client, claimant, hashLabel, next)), same: [], old };
  const update = numberOf(newest) < next ? await renumber(client, claimant, newest, next) : newest;
  return { update, same: equal.slice(0, -1), old, collisions: collisionsOf(owner) };
}

const renumber = (client: Client, { ref }: Claimant, revision: JsonObject, number: number): Promise<JsonObject> =>
  client.patch({ resource: REVISIONS, namespace: ref.namespace, name: nameOf(revision) }, { revision: number });

/** A name that is taken by a revision of something else leads to the next name. */
async function create(client: Client, claimant: Claimant, hashLabel: string, number: number) {
  const { object: owner, ref } = claimant;
  for (let collisions = collisionsOf(owner); ; collisions = (collisions ?? 0) + 1) {
    const revision = revisionFor(owner, controllerReference(claimant), { hashLabel, number, collisions });
    try {
      return { update: await client.create(REVISIONS, revision), collisions };
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
    }
    const taken = await client.get({ resource: REVISIONS, namespace: ref.namespace, name: nameOf(revision) });
    if (taken !== undefined && isRevisionOf(owner, taken)) return { update: taken, collisions };
  }
}

export async function deleteRevisions(
  client: Client,
  owner: JsonObject,
  revisions: readonly JsonObject[],
): Promise<void> {
  for (const one of revisions) {
    const ref = { resource: REVISIONS, namespace: namespaceOf(owner), name: nameOf(one) };
    await client.delete(ref, { uid: uidOf(one) }).catch(ignoreNotFound);
  }
}
