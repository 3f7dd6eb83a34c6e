import { messageOfError } from '#lib/machinery/error-message.ts';
import type { AwsCredentials } from '#lib/server/authentication/aws/presign.ts';
import { signedHeaders } from '#lib/server/authentication/aws/signed-headers.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';

/** A function and the credentials for its invocation. */
export interface EventInvokerOptions {
  readonly name: string;
  readonly region: string;
  /** The URL of Lambda for emulators. Default: the region's own. */
  readonly endpoint?: string;
  readonly credentials: AwsCredentials;
  /** Wall time in ms since 1970. */
  now(): number;
}

/** The status with which Lambda accepts an event. */
const ACCEPTED = 202;

/**
 * Invokes a function with a signed request and does not wait until it ends. Resolves once Lambda has accepted the event, which is JSON of
 * at most 256 KB. The function may receive the event twice, and late. Throws TransportError.
 */
export function eventInvoker({ name, region, endpoint, credentials, now }: EventInvokerOptions) {
  const origin = endpoint ?? `https://lambda.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const url = new URL(`/2015-03-31/functions/${encodeURIComponent(name)}/invocations`, origin);
  return async (body: string, signal: AbortSignal): Promise<void> => {
    const call = { service: 'lambda', region, host: url.host, method: 'POST', path: url.pathname, body };
    const more = { 'content-type': 'application/json', 'x-amz-invocation-type': 'Event' };
    const { host: _, ...headers } = signedHeaders({ ...call, headers: more }, credentials, now());
    const { status } = await fetch(url, { method: 'POST', headers, body, signal }).catch((error: unknown) => {
      throw new TransportError(`Lambda does not answer: ${messageOfError(error)}`, { cause: error });
    });
    if (status !== ACCEPTED) throw new TransportError(`Lambda answers ${status}`);
  };
}
