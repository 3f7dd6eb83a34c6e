import { StatusError } from '#lib/machinery/errors.ts';

/** A handler for `catch` that ignores errors with one of these reasons and rethrows all others. */
export function ignore(...reasons: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof StatusError) || !reasons.includes(error.reason ?? '')) throw error;
  };
}

/** A handler for `catch` that ignores a NotFound error: controller-runtime's IgnoreNotFound. */
export const ignoreNotFound = ignore('NotFound');
