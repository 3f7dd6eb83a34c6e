import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { refusePlainHttp } from '#adapters/server/http/plain-http.ts';
import { pathOf } from '#adapters/server/http/target.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { badRequest, requestEntityTooLarge, StatusError } from '#lib/machinery/errors.ts';
import { answerWebhook, type DefinedWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';
import { namedFile } from '../named-file.ts';
import { listenFault } from '../start-fault.ts';
import { addressText, type BindAddress } from './bind-address.ts';

/** The address and certificate of the server. */
export interface WebhookServerOptions {
  readonly address: BindAddress;
  /** A directory with `tls.crt` and `tls.key`, laid out like a mounted TLS Secret. New files are used within seconds. */
  readonly certificates: string;
  /** Each webhook is served at `/NAME`. */
  readonly webhooks: ReadonlyMap<string, DefinedWebhook>;
  readonly log: Logger;
  /** Time-out in ms for a response. */
  readonly timeout: number;
}

/** A review may contain an object of 3 MiB twice. */
const LARGEST = 8 * 1024 * 1024;
/** Time-out in ms for a client to send its request, and the interval between two checks of the certificate. */
const PATIENCE = 30_000;
const LOOK = 10_000;

/**
 * Serves webhooks over HTTPS in the form that API servers call them. Throws StartFault if the certificate is missing or it cannot listen.
 */
export async function serveWebhooks(options: WebhookServerOptions): Promise<Server> {
  const { address, certificates, log } = options;
  const server = createServer({ ...(await keyPair(certificates)), requestTimeout: PATIENCE }, (request, response) => {
    answer(request, options)
      .then(({ status, type, body }) => {
        if (!response.destroyed) response.writeHead(status, { 'content-type': type }).end(body);
      })
      .catch((error: unknown) => {
        log.error(messageOfError(error));
        response.destroy();
      });
  });
  refusePlainHttp(server);
  const renew = (): void =>
    void keyPair(certificates).then(
      (pair) => server.setSecureContext(pair),
      (error: unknown) => log.error(`the webhooks' certificate: ${messageOfError(error)}`),
    );
  const file = join(certificates, 'tls.crt');
  watchFile(file, { interval: LOOK, persistent: false }, renew);
  server.once('close', () => unwatchFile(file, renew));
  server.listen(address);
  await once(server, 'listening').catch((error: unknown) => {
    throw listenFault(addressText(address), error);
  });
  return server;
}

async function keyPair(folder: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = await Promise.all([namedFile(join(folder, 'tls.crt')), namedFile(join(folder, 'tls.key'))]);
  return { cert, key };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array | string;
}

async function answer(request: IncomingMessage, options: WebhookServerOptions): Promise<Answer> {
  const name = pathOf(request.url).slice(1);
  const webhook = options.webhooks.get(name);
  const plain = (status: number, body: string): Answer => ({ status, type: 'text/plain', body });
  if (webhook === undefined) return plain(404, 'there is no such webhook');
  if (request.method !== 'POST') return plain(405, 'a review is posted');
  try {
    const { log, timeout } = options;
    const signal = AbortSignal.timeout(timeout);
    const body = await answerWebhook(webhook, await bodyOf(request), { log, signal });
    return { status: 200, type: 'application/json', body };
  } catch (error) {
    options.log.error(messageOfError(error), { webhook: name });
    return plain(error instanceof StatusError ? error.code : 500, messageOfError(error));
  }
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > LARGEST) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw badRequest(`the review was broken off: ${messageOfError(error)}`);
  }
  if (length > LARGEST) throw requestEntityTooLarge(`a review has at most ${LARGEST} bytes`);
  return Buffer.concat(chunks);
}
