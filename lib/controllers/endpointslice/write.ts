import type { EndpointSlice } from '#lib/api/types/discovery.v1.ts';
import { ENDPOINT_SLICES } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { Changes } from './pack.ts';

const refOf = (slice: EndpointSlice): ObjectRef => ({
  resource: ENDPOINT_SLICES,
  namespace: namespaceOf(slice),
  name: nameOf(slice),
});

/** Creates new slices first, so that no endpoint is missing meanwhile. A terminating namespace rejects new slices and needs none. */
export async function writeSlices(client: Client, changes: Changes): Promise<void> {
  try {
    for (const slice of changes.create) await client.create(ENDPOINT_SLICES, slice);
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
