import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { jwkOf, verificationKey } from '#lib/server/authentication/key.ts';
import { onLoopback } from '#test/support/loopback.ts';

export interface IdentityProvider extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
}

/** One HTTPS server that acts as an issuer of ID tokens, as a TokenReview webhook that accepts `hooked`, and as STS for any caller. */
export async function identityProvider(pair: KeyPair, pem: string): Promise<IdentityProvider> {
  const server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    answerOf(request, pem).then(
      (answer) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const { port, close } = await onLoopback(server);
  return { port, url: `https://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

async function answerOf(request: IncomingMessage, pem: string): Promise<JsonObject> {
  const { url = '', headers } = request;
  const own = `https://${headers.host}`;
  if (url === '/.well-known/openid-configuration') return { issuer: own, jwks_uri: `${own}/keys` };
  if (url === '/keys') return { keys: [jwkOf(verificationKey(pem))] };
  if (url.startsWith('/?Action=GetCallerIdentity')) return callerIdentity(headers['x-k8s-aws-id']);
  return tokenReview(await bodyOf(request));
}

/** Like STS, it reports a request that was signed for another cluster as having a wrong signature. */
function callerIdentity(cluster: string | string[] | undefined): JsonObject {
  if (cluster !== 'prod') throw new Error('SignatureDoesNotMatch');
  const Arn = 'arn:aws:sts::123456789012:assumed-role/Admin/amy';
  const identity = { Arn, Account: '123456789012', UserId: 'AROAEXAMPLE:amy' };
  return { GetCallerIdentityResponse: { GetCallerIdentityResult: identity } };
}

function tokenReview(review: { spec?: { token?: string } }): JsonObject {
  const known = review.spec?.token === 'hooked';
  return {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    status: known ? { authenticated: true, user: { username: 'hook', groups: ['hooked'] } } : { authenticated: false },
  };
}

async function bodyOf(request: IncomingMessage): Promise<{ spec?: { token?: string } }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as { spec?: { token?: string } };
}
