import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';
import type { Draft, Next, Written } from './stages.ts';

/**
 * Allocates the values that the object needs from the cluster's pools. A rejected or stale write (undefined) releases them. A write with an
 * unknown outcome keeps them, because leaking a value is better than allocating it twice.
 */
export async function allocation<D extends Draft>(draft: D, next: Next<D>): Written {
  const { definition, context, hub, old } = draft;
  const { allocator } = definition;
  if (allocator === undefined || context.subresource !== '') return next(draft);
  const allocated = await allocator.allocate(hub, old, context);
  try {
    const written = await next(draft);
    await (written === undefined ? allocated.revert() : allocated.commit());
    return written;
  } catch (error) {
    if (error instanceof StatusError) await allocated.revert();
    throw error;
  }
}

/** Releases the values of a deleted object. */
export async function release(
  { allocator }: ResourceDefinition,
  context: OperationContext,
  object: JsonObject,
): Promise<void> {
  if (allocator !== undefined) await allocator.release(object, context);
}
