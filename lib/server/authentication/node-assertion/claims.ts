import { hash } from 'node:crypto';

/** The `typ` of a node's assertion. */
export const TYPE = 'davit-node+jwt';
/** Begins every assertion: its header, in base64url, has the type first. One look at the text says whether a token is one. */
export const BEGINNING = Buffer.from(`{"typ":"${TYPE}",`).toString('base64url');
/** Seconds that an assertion is valid at most. */
export const LIFE = 60;
/** Characters of an assertion at most. One with a P-256 key has 2,000. */
export const LONGEST = 8 * 1024;
/**
 * The header of refusals that tells a node which cluster its assertions are for. It is no `WWW-Authenticate`, which function URLs and
 * API Gateway rename.
 */
export const REALM_HEADER = 'davit-node-realm';

/** The request that an assertion is for. */
export interface AssertedRequest {
  readonly method: string;
  /** As sent, percent-encoding included, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A request that is to be signed. */
export interface UnsignedRequest extends AssertedRequest {
  readonly body: Uint8Array;
}

/** The `htu` claim: path and query in one form, whatever front doors do to their encoding and to the order of parameters. */
export function targetOf({ path, query }: AssertedRequest): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  const plain = path.split('/').map(reencoded).join('/');
  return sorted.size === 0 ? plain : `${plain}?${sorted}`;
}

function reencoded(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment; // no percent-encoding: it stands for itself
  }
}

/** The `digest` claim: SHA-256 of a body, in base64url. */
export const digestOf = (body: Uint8Array): string => hash('sha256', body, 'base64url');

/** A server's name in the `aud` claim: of `host:port`, in lower case, without the port of HTTPS. */
export const hostOf = (address: string): string => address.toLowerCase().replace(/:443$/, '');
