import { defined } from '#lib/machinery/defined.ts';
import type { AwsCredentials } from './presign.ts';
import { scopeText, sha256, signatureOf, signingKey, timeOf, uriEncode } from './signature.ts';

/** An unsigned request without a query to an AWS service. */
export interface UnsignedCall {
  /** The service name in signatures, for example `ssm`. */
  readonly service: string;
  readonly region: string;
  readonly host: string;
  readonly method: string;
  /** The path as sent, including percent-encoding. */
  readonly path: string;
  readonly body: string;
  /** Additional signed headers, with names in lower case. Default none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An unsigned POST to `/` of a service with the JSON protocol. */
export interface JsonCall extends Pick<UnsignedCall, 'service' | 'region' | 'host' | 'body'> {
  /** The operation in `X-Amz-Target`. */
  readonly target: string;
}

/** Converts the call to an unsigned request. */
export const jsonCall = ({ target, ...call }: JsonCall): UnsignedCall => ({
  ...call,
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
});

/** The headers of a call with Signature Version 4. `now` is in ms since 1970. */
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
  const lines = sorted.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`).join('');
  // The path is encoded twice, as for every service except S3.
  const encoded = path.split('/').map(uriEncode).join('/');
  const canonical = [method, encoded, '', lines, names, sha256(body)].join('\n');
  const signature = signatureOf(canonical, scope, signingKey(credentials.secretAccessKey, scope));
  const credential = `${credentials.accessKeyId}/${scopeText(scope)}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}
