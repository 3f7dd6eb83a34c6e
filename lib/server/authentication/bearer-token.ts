import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authentication, Authenticator, Credentials, TokenAuthenticator } from './authenticator.ts';

/** A longer one is refused unread, in characters. */
const LONGEST = 64 * 1024;
const EXTRA_SPACE = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** Begins the subprotocol of a WebSocket that holds its client's token, in base64url. */
export const BEARER_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** Why a token is refused that nobody knows. Reviews have it before any other reason: upstream asks for its own token first. */
export const INVALID_TOKEN = 'invalid bearer token';

/** The token of `Authorization: Bearer`. One that nobody knows is refused: who shows a token is never anonymous. */
export function bearerToken(authenticate: TokenAuthenticator): Authenticator {
  return async (credentials) => {
    const shown = credentials.headers('authorization')[0] ?? '';
    const token = /^\s*bearer ([^ ]+)/i.exec(shown)?.[1];
    if (token !== undefined) return known(authenticate, token, credentials);
    if (/^\s*bearer  \s*\S/i.test(shown)) credentials.warn(EXTRA_SPACE);
    return undefined;
  };
}

/** The token that a browser sends as a subprotocol of its WebSocket, as it can set no header. */
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
    if (encoded.length === offered.length) throw unauthorized('missing additional subprotocol'); // to answer with
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
