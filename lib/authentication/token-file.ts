import { createHash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authenticator } from './authenticator.ts';
import { AUTHENTICATED, type User } from './user.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Static bearer tokens. A bearer token that is none of them is refused, as upstream's anonymous fallback does not apply. */
export function tokenFile(tokens: ReadonlyMap<string, User>): Authenticator {
  const known = [...tokens].map(([token, user]) => ({ hash: digest(token), user }));
  return async ({ authorization }) => {
    const token = bearerToken(authorization);
    if (token === undefined) return undefined;
    const hash = digest(token);
    const found = known.find((entry) => timingSafeEqual(entry.hash, hash));
    if (found === undefined) throw unauthorized();
    return { ...found.user, groups: [...found.user.groups, AUTHENTICATED] };
  };
}

/** The token of an `Authorization: Bearer` header. */
function bearerToken(authorization: string | undefined): string | undefined {
  const match = /^bearer +(\S+)/i.exec(authorization ?? '');
  return match?.[1];
}
