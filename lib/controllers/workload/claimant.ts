import type { Client, ObjectRef } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { splitKey } from '#lib/client/split-key.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { selectorFromObject, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { Claimant } from './claim.ts';
import { selectorOr, type Ownership } from './owner-index.ts';

/** What `spec.selector` selects. Throws 400 where it says nothing sensible. */
export const specSelector = (owner: JsonObject): LabelSelector =>
  selectorFromObject(objectAt(objectAt(owner, 'spec'), 'selector'));

/** The owner of a key (`namespace/name`), who claims what it selects; undefined where it is gone. An invalid selector selects nothing. */
export async function claimantOf(client: Client, ownership: Ownership, key: string): Promise<Claimant | undefined> {
  const { owners, kind, dependents } = ownership;
  const ref: ObjectRef = { resource: owners, ...splitKey(key) };
  const object = await client.get(ref);
  if (object === undefined) return undefined;
  const selector = selectorOr(object, (owner) => ownership.selectorOf(owner));
  return { ref, object, apiVersion: apiVersion(owners), kind, selector, dependents };
}

/** Writes over the status of what was read, and gives what was written; undefined where it is gone. Throws Conflict where others wrote. */
export const writeStatus = (
  client: Client,
  { ref, object }: Claimant,
  status: JsonObject,
): Promise<JsonObject | undefined> => client.update(ref, { ...object, status }, 'status').catch(ignoreNotFound);
