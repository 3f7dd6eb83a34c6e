import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { RunningApiserver } from '#local/start-apiserver.ts';

export interface Shown {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly client?: KeyPair;
  readonly method?: string;
  readonly body?: string;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The response to a request that contains only the given credentials, and whose path is sent unchanged. */
export function exchanged(
  { port, certificateAuthority: ca }: RunningApiserver,
  path: string,
  { headers = {}, client, method = 'GET', body }: Shown = {},
): Promise<Exchanged> {
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  const tls = client === undefined ? {} : { cert: client.certificate, key: client.key };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const sent = httpsRequest(
    {
      host: '127.0.0.1',
      port,
      path,
      method,
      ca,
      ...tls,
      agent: false,
      headers: { ...type, ...headers } as Record<string, string>,
    },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      const { statusCode: status = 0, headers: told } = response;
      response.on('end', () => resolve({ status, headers: told, body: Buffer.concat(chunks).toString() }));
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

/** The status of a GET whose header lines are sent unchanged. */
export async function rawStatus(
  { port, certificateAuthority: ca }: RunningApiserver,
  path: string,
  lines: readonly string[],
): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] });
  socket.write([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'));
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1] ?? 0);
}

/** The user name that the server authenticates the client as; '' for an unknown one. */
export async function whoIs(server: RunningApiserver, shown: Shown = {}): Promise<string> {
  const path = '/api/v1/namespaces/default/secrets';
  const { status, body } = await exchanged(server, path, shown);
  if (status === 401) return '';
  if (status === 200) return 'somebody with every right';
  return /User \\?"([^"\\]+)/.exec(body)?.[1] ?? `${status} ${body}`;
}
