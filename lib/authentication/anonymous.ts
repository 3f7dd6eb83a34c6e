import { defined } from '#lib/machinery/defined.ts';
import type { Authenticator } from './authenticator.ts';
import { ANONYMOUS } from './user.ts';

/** Whoever shows nothing that this server knows; where `paths` are given, there alone. */
export function anonymous(paths?: readonly string[]): Authenticator {
  return async ({ path, audiences }) =>
    paths === undefined || paths.includes(path) ? { user: ANONYMOUS, ...defined({ audiences }) } : undefined;
}
