import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authentication, Authenticator, Credentials, TokenAuthenticator } from './authenticator.ts';

/** The maximum length of a token in characters. Longer tokens are rejected without being parsed. */
const LONGEST = 64 * 1024;
const EXTRA_SPACE = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** The prefix of the WebSocket subprotocol that contains the client's token, in base64url. */
export const BEARER_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** The reason for rejecting an unknown token. Reviews list it before other reasons, because upstream checks its own token first. */
export const INVALID_TOKEN = 'invalid bearer token';

/** Authenticates the token in `Authorization: Bearer`. Rejects an unknown token, so that a client with a token is never anonymous. */
export function bearerToken(authenticate: TokenAuthenticator): Authenticator {
  return async (credentials) => {
    const shown = credentials.headers('authorization')[0] ?? '';
    const token = /^\s*bearer ([^ ]+)/i.exec(shown)?.[1];
    if (token !== undefined) return known(authenticate, token, credentials);
    if (/^\s*bearer  \s*\S/i.test(shown)) credentials.warn(EXTRA_SPACE);
    return undefined;
  };
}

/** Authenticates the token that a browser sends as a WebSocket subprotocol, because it cannot set headers. */
export function webSocketToken(authenticate: TokenAuthenticator): Authenticator {
  return async (credentials) => {
    if (credentials.headers('upgrade')[0]?.toLowerCase() !== 'websocket') return undefined;
    const offered = credentials
      .headers('sec-websocket-protocol')
      .flatMap((value) => value.split(','))
      .map((one) => one.trim());
    const encoded = offered.filter((one) => one.startsWith(BEARER_PROTOCOL));
    if (encoded.length === 0) return undefined;
    if (encoded.length > 1) throw unauthorized('multiple base64.bearer.authorization tokens specified');
    const text = (encoded[0] as string).slice(BEARER_PROTOCOL.length);
    if (!/^[\w-]+$/.test(text)) throw unauthorized('invalid base64url.bearer.authorization token');
    if (encoded.length === offered.length) throw unauthorized('missing additional subprotocol'); // the response must select one
    return known(authenticate, Buffer.from(text, 'base64url').toString(), credentials);
  };
}

async function known(
  authenticate: TokenAuthenticator,
  token: string,
  credentials: Credentials,
): Promise<Authentication> {
  const found = token.length > LONGEST ? undefined : await authenticate(token, credentials);
  if (found === undefined) throw unauthorized(INVALID_TOKEN);
  return found;
}
