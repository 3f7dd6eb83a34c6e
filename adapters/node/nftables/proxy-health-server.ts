import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { MAX_CONNECTIONS, PATIENCE } from './health-ports.ts';

/** A response about the health of the proxy. */
export interface ProxyHealthAnswer {
  readonly status: 200 | 503;
  /** JSON. */
  readonly body: string;
}

/** Returns the proxy's health response for a path. Undefined for a 404. */
export type ProxyHealthAnswers = (path: string) => ProxyHealthAnswer | undefined;

/** Serves the health of the proxy at an address until it is disposed of (upstream: ProxyHealthServer). Rejects if it cannot listen. */
export async function serveProxyHealth(
  { host, port }: { readonly host: string; readonly port: number },
  answers: ProxyHealthAnswers,
): Promise<AsyncDisposable> {
  const server = createServer(PATIENCE, (request, response) => {
    request.resume();
    const answer = answers((request.url ?? '').replace(/\?.*$/, ''));
    if (answer === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(answer.status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' })
        .end(answer.body);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen({ host, port });
  await once(server, 'listening');
  return { [Symbol.asyncDispose]: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await ended;
}
