import { createHash, createHmac } from 'node:crypto';

/** The scope of a Signature Version 4. */
export interface Scope {
  /** The time in the format of `timeOf`. */
  readonly time: string;
  readonly region: string;
  readonly service: string;
}

/** Formats ms since 1970 as in signatures, for example `20260102T030405Z`. */
export const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(/[-:]|\.\d+/g, '');

const dayOf = ({ time }: Scope): string => time.slice(0, 8);

/** The scope as text: day, region and service. */
export const scopeText = (scope: Scope): string => `${dayOf(scope)}/${scope.region}/${scope.service}/aws4_request`;

/** The signing key for a day, a region and a service. */
export const signingKey = (secretAccessKey: string, scope: Scope): Buffer =>
  [scope.region, scope.service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, dayOf(scope)));

/** The signature of a canonical request, in hexadecimal. */
export const signatureOf = (canonical: string, scope: Scope, key: Buffer): string =>
  hmac(key, ['AWS4-HMAC-SHA256', scope.time, scopeText(scope), sha256(canonical)].join('\n')).toString('hex');

/** Percent-encodes everything but unreserved characters (RFC 3986, 2.3), as Signature Version 4 requires of paths and queries. */
export const uriEncode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The SHA-256 in hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
