import { defined } from '#lib/machinery/defined.ts';
import type { Authenticator } from './authenticator.ts';
import { ANONYMOUS } from './user.ts';

/** Authenticates requests without credentials as system:anonymous. With `paths`, only on those paths. */
export function anonymous(paths?: readonly string[]): Authenticator {
  return async ({ path, audiences }) =>
    paths === undefined || paths.includes(path) ? { user: ANONYMOUS, ...defined({ audiences }) } : undefined;
}
