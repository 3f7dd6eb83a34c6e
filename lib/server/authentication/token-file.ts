import { hash } from 'node:crypto';
import type { TokenAuthenticator } from './authenticator.ts';
import type { User } from './user.ts';

const digest = (token: string): string => hash('sha256', token, 'base64');

/** Static bearer tokens, looked up by hash, so that timing does not reveal a partial match. */
export function tokenFile(tokens: ReadonlyMap<string, User>): TokenAuthenticator {
  const known = new Map([...tokens].map(([token, user]) => [digest(token), { user }]));
  return async (token) => known.get(digest(token));
}

/**
 * Parses a token file. Each line contains token, user, uid and groups, which are quoted if there are several. Throws TypeError with the
 * number of an invalid line, but not its content.
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
