import { defined } from '#lib/machinery/defined.ts';
import type { AwsCredentials } from './presign.ts';
import { scopeText, sha256, signatureOf, signingKey, timeOf } from './signature.ts';

/** A POST to `/` of a service of AWS whose protocol is JSON, before it is signed. */
export interface JsonCall {
  /** As signatures name it: `ssm`. */
  readonly service: string;
  readonly region: string;
  readonly host: string;
  /** The operation as `X-Amz-Target` names it. */
  readonly target: string;
  readonly body: string;
}

/** The headers of a call, signed by version 4. `now`: milliseconds since the epoch. */
export function signedHeaders(call: JsonCall, credentials: AwsCredentials, now: number): Record<string, string> {
  const { service, region, host, target, body } = call;
  const scope = { time: timeOf(now), region, service };
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.1',
    host,
    'x-amz-date': scope.time,
    ...defined({ 'x-amz-security-token': credentials.sessionToken }),
    'x-amz-target': target,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const signature = signatureOf(canonical, scope, signingKey(credentials.secretAccessKey, scope));
  const credential = `${credentials.accessKeyId}/${scopeText(scope)}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}
