import type { ControllerRevision } from '#lib/api/types/apps.v1.ts';
import { CONTROLLER_REVISIONS } from '#lib/api/types/resources.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { controllerOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { type Claimant, claim, controllerReference, dependentsOf } from '../workload/claim.ts';
import type { OwnerIndex } from '../workload/owner-index.ts';
import { byNumber, isRevisionOf, numberOf, type Revisioned, revisionFor } from './revision.ts';

/** The owners that a change of a revision concerns. None for a new revision with a controller, because that controller created it. */
export function ownersOfRevision(index: OwnerIndex, change: ObjectChange): readonly string[] {
  const keys = index.keys(change);
  const isRevision = change.group === CONTROLLER_REVISIONS.group && change.resource === CONTROLLER_REVISIONS.resource;
  return isRevision && change.type === 'ADDED' && controllerOf(change.object()) !== undefined ? [] : keys;
}

/** The revisions that the owner controls, including those that it adopts. */
export async function revisionsOf(
  client: Clientset,
  { ref, apiVersion, kind, object, selector }: Claimant,
  index: OwnerIndex,
): Promise<readonly ControllerRevision[]> {
  const claimant: Claimant<JsonObject, ControllerRevision> = {
    ref,
    apiVersion,
    kind,
    object,
    selector,
    dependents: CONTROLLER_REVISIONS,
  };
  return claim(client, claimant, await dependentsOf(client, claimant, index.controlledBy(uidOf(object))));
}

/** The revisions of an owner, by their use. */
export interface Lineage {
  /** The revision with the owner's current template. */
  readonly update: ControllerRevision;
  /** Other revisions with the same template, which existed before they had this owner. */
  readonly same: readonly ControllerRevision[];
  /** The rest, oldest first. */
  readonly old: readonly ControllerRevision[];
  /** How often the name of a revision was already taken. Undefined if never. */
  readonly collisions: number | undefined;
}

/**
 * Finds or creates the revision of the owner's template, and gives it the highest number. Returning to an earlier template reuses its
 * old revision. `held` are the revisions that the owner controls.
 */
export async function lineageOf(
  client: Clientset,
  claimant: Claimant<Revisioned>,
  held: readonly ControllerRevision[],
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
  return { update, same: equal.slice(0, -1), old, collisions: owner.status.collisionCount };
}

const renumber = (
  client: Clientset,
  { ref }: Claimant,
  revision: ControllerRevision,
  number: number,
): Promise<ControllerRevision> =>
  client.patch(
    { resource: CONTROLLER_REVISIONS, namespace: ref.namespace, name: nameOf(revision) },
    { revision: number },
  );

/** If another revision has the name, tries the next name. */
async function create(client: Clientset, claimant: Claimant<Revisioned>, hashLabel: string, number: number) {
  const { object: owner, ref } = claimant;
  for (let collisions = owner.status.collisionCount; ; collisions = (collisions ?? 0) + 1) {
    const revision = revisionFor(owner, controllerReference(claimant), { hashLabel, number, collisions });
    try {
      return { update: await client.create(CONTROLLER_REVISIONS, revision), collisions };
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== 'AlreadyExists') throw error;
    }
    const taken = await client.get({
      resource: CONTROLLER_REVISIONS,
      namespace: ref.namespace,
      name: nameOf(revision),
    });
    if (taken !== undefined && isRevisionOf(owner, taken)) return { update: taken, collisions };
  }
}

/** Deletes revisions of an owner. Ignores those already deleted. */
export async function deleteRevisions(
  client: Clientset,
  owner: Revisioned,
  revisions: readonly ControllerRevision[],
): Promise<void> {
  for (const one of revisions) {
    const ref = { resource: CONTROLLER_REVISIONS, namespace: namespaceOf(owner), name: nameOf(one) };
    await client.delete(ref, { uid: uidOf(one) }).catch(ignoreNotFound);
  }
}
