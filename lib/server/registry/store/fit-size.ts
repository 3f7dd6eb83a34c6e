import { withoutManagedFields } from '#lib/api/patch/apply/managed-fields.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { Draft, Next, Written } from './stages.ts';

/**
 * Commits an object that is too large to be stored once more without its managed fields, as they may be what is too much; not
 * of an apply, which is about them.
 */
export async function fitSize<D extends Draft>(draft: D, next: Next<D>): Written {
  try {
    return await next(draft);
  } catch (error) {
    if (draft.context.applies === true || !(error instanceof StoreError) || error.code !== 'TooLarge') throw error;
    return next({ ...draft, hub: withoutManagedFields(draft.hub) });
  }
}
