import { hash, timingSafeEqual } from 'node:crypto';
import type { TokenAuthenticator } from './authenticator.ts';
import type { User } from './user.ts';

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Static bearer tokens, compared by hash. */
export function tokenFile(tokens: ReadonlyMap<string, User>): TokenAuthenticator {
  const known = [...tokens].map(([token, user]) => ({ hash: digest(token), user }));
  return async (token) => {
    const shown = digest(token);
    const found = known.find((entry) => timingSafeEqual(entry.hash, shown));
    return found === undefined ? undefined : { user: found.user };
  };
}

/**
 * The lines of a token file: token, user, uid and, quoted where there are several, groups. Throws TypeError with the number of
 * a line that is wrong, and nothing of what is in it.
 */
export function parseTokenFile(text: string): Map<string, User> {
  const tokens = new Map<string, User>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token = '', name = '', uid, groups = ''] = fields(line);
    if (token === '') continue;
    if (uid === undefined || name === '')
      throw new TypeError(`line ${index + 1}: a token, a user and a uid belong there`);
    tokens.set(token, { name, uid, groups: groups.split(',').filter((group) => group !== '') });
  }
  return tokens;
}

const fields = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'),
  );
