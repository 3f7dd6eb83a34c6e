import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Draft, Next, Written } from './stages.ts';

/**
 * If an object is too large to store, retries once without its managed fields, which may be the reason. Does not retry an apply, because it
 * depends on them.
 */
export async function fitSize<D extends Draft>(draft: D, next: Next<D>): Written {
  try {
    return await next(draft);
  } catch (error) {
    if (draft.context.applies === true || !(error instanceof StoreError) || error.code !== 'TooLarge') throw error;
    return next({ ...draft, hub: withoutManagedFields(draft.hub) });
  }
}
