import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { listenFault } from '../start-fault.ts';
import { addressText, type BindAddress } from './bind-address.ts';

/** A text at a path, as it is when it is asked for. */
export interface Page {
  readonly type: string;
  text(): Promise<string>;
}

/** Milliseconds for a client to have said what it wants. */
const PATIENCE = 10_000;

/** Serves texts at paths over plain HTTP, to whoever asks: health, metrics. Throws StartFault where it cannot listen there. */
export async function serveTexts(address: BindAddress, pages: Readonly<Record<string, Page>>): Promise<Server> {
  const server = createServer({ requestTimeout: PATIENCE, headersTimeout: PATIENCE }, async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined || !['GET', 'HEAD'].includes(request.method ?? '')) {
      response.writeHead(page === undefined ? 404 : 405).end();
      return;
    }
    const text = await page.text();
    response.writeHead(200, { 'content-type': page.type }).end(request.method === 'HEAD' ? undefined : text);
  });
  server.listen(address);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenFault(addressText(address), error);
  });
  return server;
}
