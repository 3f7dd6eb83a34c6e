import { defined } from '#lib/machinery/defined.ts';
import type { Authenticator } from './authenticator.ts';
import { ANONYMOUS } from './user.ts';

/** Lets requests without credentials in as system:anonymous; where `paths` are given, on those alone. */
export function anonymous(paths?: readonly string[]): Authenticator {
  return async ({ path, audiences }) =>
    paths === undefined || paths.includes(path) ? { user: ANONYMOUS, ...defined({ audiences }) } : undefined;
}
