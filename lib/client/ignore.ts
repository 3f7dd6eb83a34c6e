import { StatusError } from '#lib/machinery/errors.ts';

/** A handler for `catch`. Ignores a write refused for one of these reasons, and rethrows every other error. */
export function ignore(...reasons: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof StatusError) || !reasons.includes(error.reason ?? '')) throw error;
  };
}

/** A handler for `catch` that ignores the write of a deleted object: controller-runtime's IgnoreNotFound. */
export const ignoreNotFound = ignore('NotFound');
