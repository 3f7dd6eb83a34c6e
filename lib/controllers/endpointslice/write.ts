import type { Client, ObjectRef } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Changes } from './pack.ts';

export const SLICES: GroupVersionResource = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };

const refOf = (slice: JsonObject): ObjectRef => ({
  resource: SLICES,
  namespace: namespaceOf(slice),
  name: nameOf(slice),
});

/** New slices first, so that nothing is missing meanwhile. A namespace that ends takes none, and needs no more. */
export async function writeSlices(client: Client, changes: Changes): Promise<void> {
  try {
    for (const slice of changes.create) await client.create(SLICES, slice);
  } catch (error) {
    if (isEnding(error)) return;
    throw error;
  }
  for (const slice of changes.update) await client.update(refOf(slice), slice);
  for (const slice of changes.delete) await client.delete(refOf(slice), { uid: uidOf(slice) }).catch(ignoreNotFound);
}

const isEnding = (error: unknown): boolean =>
  error instanceof StatusError &&
  (error.reason === 'NotFound' ||
    (error.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating'));
