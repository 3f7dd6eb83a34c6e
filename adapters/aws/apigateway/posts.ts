import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { AwsCredentials } from '#lib/server/authentication/aws/presign.ts';
import { signedHeaders } from '#lib/server/authentication/aws/signed-headers.ts';
import type { Posts } from '#lib/server/channel/gateway/posts.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';

/** A stage of a WebSocket API and the credentials for posts. */
export interface PostsOptions {
  /** An https URL that includes the stage, or an http URL for emulators. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** Wall time in ms since 1970. */
  now(): number;
}

/** Time-out of a whole request in ms. */
const TIMEOUT = 5000;
const SECURE = new SecureAgent({ keepAlive: true });
const PLAIN = new Agent({ keepAlive: true });

/** Posts to connections of API Gateway with signed requests, over HTTP connections that are kept open. */
export function gatewayPosts(options: PostsOptions): Posts {
  return {
    async post(connection, text) {
      const status = await send(options, 'POST', connection, text);
      if (status === 410) return false;
      if (status >= 300) throw new TransportError(`the gateway answers ${status}`);
      return true;
    },
    async close(connection) {
      const status = await send(options, 'DELETE', connection, '');
      if (status >= 300 && status !== 410) throw new TransportError(`the gateway answers ${status}`);
    },
  };
}

function send(options: PostsOptions, method: string, connection: string, body: string): Promise<number> {
  const url = new URL(`${options.endpoint}/@connections/${encodeURIComponent(connection)}`);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const failed = (error: unknown): void =>
    reject(new TransportError(`the gateway does not answer: ${messageOfError(error)}`, { cause: error }));
  const { region, credentials, now } = options;
  const call = { service: 'execute-api', region, host: url.host, method, path: url.pathname, body };
  const headers = { ...signedHeaders(call, credentials, now()), 'content-length': Buffer.byteLength(body) };
  const common = { method, headers, signal: AbortSignal.timeout(TIMEOUT) };
  const outgoing =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...common, agent: SECURE })
      : httpRequest(url, { ...common, agent: PLAIN });
  outgoing
    .on('error', failed)
    .on('response', (answer) => {
      answer.on('error', failed).on('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    })
    .end(body);
  return promise;
}
