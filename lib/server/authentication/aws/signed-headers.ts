import { defined } from '#lib/machinery/defined.ts';
import type { AwsCredentials } from './presign.ts';
import { scopeText, sha256, signatureOf, signingKey, timeOf } from './signature.ts';

/** A request without a query to a service of AWS, before it is signed. */
export interface UnsignedCall {
  /** As signatures name it: `ssm`. */
  readonly service: string;
  readonly region: string;
  readonly host: string;
  readonly method: string;
  /** As sent, percent-encoding included. */
  readonly path: string;
  readonly body: string;
  /** Further headers that the signature covers, with names in lower case. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A POST to `/` of a service whose protocol is JSON, before it is signed. */
export interface JsonCall extends Pick<UnsignedCall, 'service' | 'region' | 'host' | 'body'> {
  /** The operation as `X-Amz-Target` names it. */
  readonly target: string;
}

/** The call as any other is signed. */
export const jsonCall = ({ target, ...call }: JsonCall): UnsignedCall => ({
  ...call,
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
});

/** The headers of a call, signed by version 4. `now`: milliseconds since the epoch. */
export function signedHeaders(call: UnsignedCall, credentials: AwsCredentials, now: number): Record<string, string> {
  const { service, region, host, method, path, body } = call;
  const scope = { time: timeOf(now), region, service };
  const headers: Record<string, string> = {
    ...call.headers,
    host,
    'x-amz-date': scope.time,
    ...defined({ 'x-amz-security-token': credentials.sessionToken }),
  };
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => name).join(';');
  const lines = sorted.map(([name, value]) => `${name}:${value}\n`).join('');
  // A path is encoded once more, as of every service but S3.
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const canonical = [method, encoded, '', lines, names, sha256(body)].join('\n');
  const signature = signatureOf(canonical, scope, signingKey(credentials.secretAccessKey, scope));
  const credential = `${credentials.accessKeyId}/${scopeText(scope)}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}
