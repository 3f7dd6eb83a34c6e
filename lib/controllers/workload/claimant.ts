import type { LabelSelector as ObjectSelector } from '#lib/api/types/meta.v1.ts';
import type { Clientset, RefOf } from '#lib/client/clientset.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type LabelSelector, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Claimant, Dependent } from './claim.ts';
import { type Ownership, selectorOr } from './owner-index.ts';

/** An owner whose spec selects objects by labels. */
interface Selecting {
  readonly spec: { readonly selector?: ObjectSelector | null };
}

/** The objects that `spec.selector` selects. Throws 400 if it is invalid. */
export const specSelector = ({ spec }: Selecting): LabelSelector => selectorFromObject(spec.selector ?? undefined);

/**
 * The owner of a key (`namespace/name`), which claims the objects that it selects. Undefined if it was deleted. An invalid selector selects
 * no objects.
 */
export async function claimantOf<O extends JsonObject, D extends Dependent>(
  client: Clientset,
  ownership: Ownership<O, D>,
  key: string,
): Promise<Claimant<O, D> | undefined> {
  const { owners, kind, dependents } = ownership;
  const ref: RefOf<O> = { resource: owners, ...splitKey(key) };
  const object = await client.get(ref);
  if (object === undefined) return undefined;
  const selector = selectorOr(object, (owner) => ownership.selectorOf(owner));
  return { ref, object, apiVersion: apiVersion(owners), kind, selector, dependents };
}

/**
 * Replaces the status of the owner that was read, and returns the written owner. Undefined if it was deleted. Throws Conflict after a
 * concurrent write.
 */
export const writeStatus = <O extends JsonObject>(
  client: Clientset,
  { ref, object }: Claimant<O>,
  status: JsonObject,
): Promise<O | undefined> => client.update(ref, { ...object, status }, 'status').catch(ignoreNotFound);
