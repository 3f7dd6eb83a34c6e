import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pathOf } from '#adapters/server/http/target.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { listenFault } from '../start-fault.ts';
import { addressText, type BindAddress } from './bind-address.ts';

/** A text at a path, generated for each request. */
export interface Page {
  readonly type: string;
  text(): Promise<string>;
}

/** Time-out in ms for a client that is slow to send its request, and for a connection that is idle or reads nothing. */
const PATIENCE = 10_000;
const SILENCE = 60_000;
/** The maximum number of requests on a connection, all of which may be pipelined. */
const MAX_REQUESTS = 100;

/** The address and content of the server. */
export interface TextServerOptions {
  readonly address: BindAddress;
  readonly pages: Readonly<Record<string, Page>>;
  readonly log: Logger;
}

/**
 * Serves texts, such as health and metrics, at paths over plain HTTP without authentication. Throws StartFault if it cannot listen there.
 */
export async function serveTexts({ address, pages, log }: TextServerOptions): Promise<Server> {
  const timeouts = { requestTimeout: PATIENCE, headersTimeout: PATIENCE };
  const shared = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, sharing(page)]));
  const server = createServer(timeouts, (request, response) => {
    answer(request, response, shared).catch((error: unknown) => {
      log.error(`${pathOf(request.url)}: ${messageOfError(error)}`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.maxRequestsPerSocket = MAX_REQUESTS;
  server.setTimeout(SILENCE);
  server.listen(address);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenFault(addressText(address), error);
  });
  return server;
}

/** Requests that arrive while a text is generated share it, because a scrape opens files and clients are not authenticated. */
function sharing({ type, text }: Page): Page {
  let made: Promise<string> | undefined;
  return {
    type,
    text() {
      made ??= text().finally(() => (made = undefined));
      return made;
    },
  };
}

async function answer(
  { url, method = '' }: IncomingMessage,
  response: ServerResponse,
  pages: TextServerOptions['pages'],
): Promise<void> {
  const path = pathOf(url);
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined || !['GET', 'HEAD'].includes(method)) {
    response.writeHead(page === undefined ? 404 : 405).end();
    return;
  }
  const text = await page.text();
  response.writeHead(200, { 'content-type': page.type }).end(method === 'HEAD' ? undefined : text);
}
