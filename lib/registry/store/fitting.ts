import type { JsonObject } from '#lib/machinery/json-value.ts';
import { withoutManagedFields } from '#lib/patch/apply/managed-fields.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { OperationContext } from '../rest/context.ts';

/**
 * What `commit` gives for the object. One that is too large to be stored is committed once more without its managed fields, as
 * they may be what is too much; not of an apply, which is about them.
 */
export async function fitting<T>(
  { applies }: OperationContext,
  hub: JsonObject,
  commit: (object: JsonObject) => Promise<T>,
): Promise<T> {
  try {
    return await commit(hub);
  } catch (error) {
    if (applies === true || !(error instanceof StoreError) || error.code !== 'TooLarge') throw error;
    return commit(withoutManagedFields(hub));
  }
}
