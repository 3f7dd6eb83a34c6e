import { StatusError } from '#lib/machinery/errors.ts';

/** For `catch`: a write that is refused for one of these reasons has nothing left to do; every other error is thrown. */
export function ignore(...reasons: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof StatusError) || !reasons.includes(error.reason ?? '')) throw error;
  };
}

/** For `catch`: a write of an object that is gone has nothing left to do. controller-runtime's IgnoreNotFound. */
export const ignoreNotFound = ignore('NotFound');
