import { lookup as resolveName, type LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { GetRequest, HttpsGetter } from '#lib/authentication/https-getter.ts';
import { faultText } from '#lib/webhook/fault-text.ts';
import {
  TransportError,
  type TransportRequest,
  type TransportResponse,
  type WebhookTransport,
} from '#lib/webhook/transport.ts';
import { isForbidden } from './address-policy.ts';

/** The settings of calls over HTTPS. */
export interface HttpsTransportOptions {
  /** Webhooks at link-local and metadata addresses are called too. Default false. */
  readonly allowLinkLocal?: boolean;
}

/** Servers whose connections are kept. */
const AGENTS = 200;
/** Connections to one of those that authentication asks, for whoever sends tokens is not known yet: more questions wait, and use them again. */
const GETS_AT_ONCE = 200;

/** Webhooks, and what authentication asks of others, over HTTPS with HTTP/1.1: connections are kept, names are resolved anew for each, no proxy, no redirects. */
export class HttpsTransport implements WebhookTransport, HttpsGetter, Disposable {
  readonly #agents = new Map<string, Agent>();
  readonly #allowLinkLocal: boolean;

  constructor({ allowLinkLocal = false }: HttpsTransportOptions = {}) {
    this.#allowLinkLocal = allowLinkLocal;
  }

  post(request: TransportRequest): Promise<TransportResponse> {
    return this.#exchange('POST', request);
  }

  get({ url, headers = {}, connect, ...limits }: GetRequest): Promise<TransportResponse> {
    const { hostname, host: authority, port, pathname, search } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    return this.#exchange('GET', {
      ...limits,
      connect: connect ?? { host, port: port === '' ? 443 : Number(port) },
      serverName: host,
      authority,
      path: `${pathname}${search}`,
      headers,
      body: new Uint8Array(),
    });
  }

  async #exchange(method: string, request: TransportRequest): Promise<TransportResponse> {
    const { host } = request.connect;
    if (isIP(host) !== 0 && !this.#allows(host)) throw new TransportError(refusedText(request.connect));
    const signal = AbortSignal.timeout(request.timeout);
    try {
      return await this.#send(method, request, signal).catch((error: unknown) => {
        if (!isStaleConnection(error)) throw error;
        return this.#send(method, request, signal);
      });
    } catch (error) {
      if (error instanceof TransportError) throw error;
      const text = faultText(error, request, signal.aborted);
      throw new TransportError(text, { cause: error, isReset: isReset(error) });
    }
  }

  [Symbol.dispose](): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  #send(method: string, request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<TransportResponse>();
    const outgoing = httpsRequest({ ...this.#options(method, request), signal }, (incoming) => {
      readBody(incoming, request.maxBytes).then(resolve, reject);
    });
    outgoing.on('upgrade', ({ statusCode: status = 0 }, socket) => {
      socket.destroy(); // nobody asked to leave HTTP: it is an answer like any other, whose connection is not kept
      resolve({ status, contentType: '', body: new Uint8Array() });
    });
    outgoing.on('error', (error) => reject(outgoing.reusedSocket ? Object.assign(error, { reused: true }) : error));
    outgoing.end(request.body);
    return promise;
  }

  #options(method: string, request: TransportRequest): RequestOptions {
    const { connect, serverName, authority, path, caBundle, client, headers, body } = request;
    return {
      ...connect,
      path,
      method,
      agent: this.#agent(`${method}\n${serverName}\n${caBundle}\n${client?.certificate ?? ''}`, method),
      // An IP address is no server name; the certificate is checked against the address then.
      servername: isIP(serverName) === 0 ? serverName : '',
      ...(caBundle === '' ? {} : { ca: caBundle }),
      allowPartialTrustChain: true, // any certificate of a bundle is trusted, be it the server's own, as Go does
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
      headers: { ...headers, host: authority, ...(method === 'GET' ? {} : { 'content-length': body.length }) },
      lookup: (name, options, done) => this.#lookup(name, options, done),
    };
  }

  #agent(key: string, method: string): Agent {
    const maxSockets = method === 'GET' ? GETS_AT_ONCE : Infinity;
    const agent =
      this.#agents.get(key) ?? new Agent({ keepAlive: true, timeout: 60_000, maxFreeSockets: 16, maxSockets });
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > AGENTS && oldest !== undefined) {
      this.#agents.get(oldest)?.destroy();
      this.#agents.delete(oldest);
    }
    return agent;
  }

  /** The address is judged where it is used, so that a name cannot change its mind in between. */
  readonly #lookup: NonNullable<RequestOptions['lookup']> = (name, options, done) => {
    resolveName(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return done(error, []);
      const allowed = found.filter(({ address }) => this.#allows(address));
      const [first] = allowed;
      if (first === undefined) return done(new TransportError(refusedText({ host: name })), []);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };

  #allows(address: string): boolean {
    return this.#allowLinkLocal || !isForbidden(address);
  }
}

const refusedText = ({ host, port }: { host: string; port?: number }): string =>
  `dial tcp ${host}${port === undefined ? '' : `:${port}`}: link-local and metadata addresses are not called; give the webhook another address`;

/** The server closed a kept connection just when the request went out: nothing was done yet. */
const isStaleConnection = (error: unknown): boolean => error instanceof Error && 'reused' in error && isReset(error);

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');

async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<TransportResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      incoming.destroy();
      throw new TransportError(`the answer is longer than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const contentType = incoming.headers['content-type'] ?? '';
  return { status: incoming.statusCode ?? 0, contentType, body: Buffer.concat(chunks) };
}
