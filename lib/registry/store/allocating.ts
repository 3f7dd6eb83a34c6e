import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { OperationContext } from '../rest/context.ts';

/**
 * Runs `write` with what the object needs from the cluster's pools taken. A write that is refused, or undefined because it
 * came too late, gives that back. One whose end is unknown does not: better a value that nobody has than one that two have.
 */
export async function allocating<T>(
  { allocator }: ResourceDefinition,
  context: OperationContext,
  { object, old }: { object: JsonObject; old?: JsonObject },
  write: () => Promise<T>,
): Promise<T> {
  if (allocator === undefined || context.subresource !== '') return write();
  const allocation = await allocator.allocate(object, old, context);
  try {
    const written = await write();
    await (written === undefined ? allocation.revert() : allocation.commit());
    return written;
  } catch (error) {
    if (error instanceof StatusError) await allocation.revert();
    throw error;
  }
}

/** Gives back what an object held that is gone. */
export async function release(
  { allocator }: ResourceDefinition,
  context: OperationContext,
  object: JsonObject,
): Promise<void> {
  if (allocator !== undefined) await allocator.release(object, context);
}
