import { NAMESPACES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** Whether the namespace exists and is not being deleted. */
export async function isActive(client: Client, namespace: string): Promise<boolean> {
  const object = await client.get({ resource: NAMESPACES, namespace: '', name: namespace });
  return object !== undefined && !isDeleting(object);
}

/** Creates an object that every active namespace has. Ignores the error if the object exists or the namespace is deleted meanwhile. */
export async function createInNamespace(
  client: Client,
  resource: GroupVersionResource,
  object: JsonObject,
): Promise<void> {
  await client.create(resource, object).catch((error: unknown) => {
    if (!(error instanceof StatusError) || !isExpected(error)) throw error;
  });
}

const isExpected = ({ reason, details }: StatusError): boolean =>
  reason === 'AlreadyExists' ||
  reason === 'NotFound' ||
  (details?.causes ?? []).some((cause) => cause.reason === 'NamespaceTerminating');
