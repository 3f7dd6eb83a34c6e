import { notFound } from '#lib/machinery/errors.ts';
import type { ReadAt, StoredObject } from '#lib/storage/storage.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import { keyOf } from './encode.ts';

/** Returns the object with the given name. Throws 404. */
export async function get(
  definition: ResourceDefinition,
  context: Pick<OperationContext, 'cluster' | 'namespace'>,
  name: string,
  at: ReadAt = FRESH,
): Promise<StoredObject> {
  const stored = await definition.storage.get(keyOf(definition, context, name), at);
  if (stored === undefined) throw notFound(definition.resource, name);
  return stored;
}

/** Reads the latest state. */
export const FRESH: ReadAt = { kind: 'fresh' };
