import { hash } from 'node:crypto';

/** The `typ` of node assertions. */
export const TYPE = 'davit-node+jwt';
/** The prefix of every assertion, which identifies it without parsing: its header, in base64url, starts with the type. */
export const BEGINNING = Buffer.from(`{"typ":"${TYPE}",`).toString('base64url');
/** The maximum lifetime of an assertion in seconds. */
export const LIFE = 60;
/** The maximum length of an assertion in characters. An assertion with a P-256 key has 2,000. */
export const LONGEST = 8 * 1024;
/**
 * The header of 401 responses that contains the cluster for a node's assertions. It is not `WWW-Authenticate`, which function URLs and API
 * Gateway rename.
 */
export const REALM_HEADER = 'davit-node-realm';

/** The request for which an assertion is valid. */
export interface AssertedRequest {
  readonly method: string;
  /** The path as sent, including percent-encoding, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** A request that needs a signature. */
export interface UnsignedRequest extends AssertedRequest {
  readonly body: Uint8Array;
}

/** The `htu` claim: path and query in a canonical form, because front ends may change the encoding and the order of parameters. */
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
    return segment; // invalid percent-encoding is kept as is
  }
}

/** The `digest` claim: SHA-256 of a body, in base64url. */
export const digestOf = (body: Uint8Array): string => hash('sha256', body, 'base64url');

/** The `aud` claim of a server: `host:port` in lower case, without the default port of HTTPS. */
export const hostOf = (address: string): string => address.toLowerCase().replace(/:443$/, '');
