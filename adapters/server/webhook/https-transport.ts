import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import type { GetRequest, HttpsGetter } from '#lib/server/authentication/https-getter.ts';
import { faultText } from '#lib/server/webhook/fault-text.ts';
import {
  TransportError,
  type TransportRequest,
  type TransportResponse,
  type WebhookTransport,
} from '#lib/server/webhook/transport.ts';
import { AddressGuard } from './address-guard.ts';
import { type ConnectPod, PodAgent, type RoutedOptions } from './pod-agent.ts';

/** The settings of calls over HTTPS. */
export interface HttpsTransportOptions {
  /** Whether webhooks at link-local and metadata addresses are allowed. Default: false. */
  readonly allowLinkLocal?: boolean;
  /** Connects to pods via the channels of their nodes. Without it, pods are dialled directly. */
  readonly connectPod?: ConnectPod;
}

/** Maximum number of servers to which connections are kept. */
const AGENTS = 200;
/**
 * Maximum number of connections to one authentication server. The clients that cause these calls are not authenticated yet. Further calls
 * wait and reuse the connections.
 */
const GETS_AT_ONCE = 200;

/**
 * Calls webhooks and authentication servers over HTTPS with HTTP/1.1. Connections are kept. Names are resolved again for each new
 * connection. Proxies and redirects are not used.
 */
export class HttpsTransport implements WebhookTransport, HttpsGetter, Disposable {
  readonly #agents = new Map<string, PodAgent>();
  readonly #guard: AddressGuard;
  readonly #connectPod: ConnectPod | undefined;

  constructor({ connectPod, ...addresses }: HttpsTransportOptions = {}) {
    this.#guard = new AddressGuard(addresses);
    this.#connectPod = connectPod;
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
    this.#guard.check(request.connect);
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
    const outgoing = httpsRequest({ ...this.#options(method, request, signal), signal }, (incoming) => {
      readBody(incoming, request.maxBytes).then(resolve, reject);
    });
    outgoing.on('upgrade', ({ statusCode: status = 0 }, socket) => {
      socket.destroy(); // an unrequested upgrade counts as a normal response, and its connection is not kept
      resolve({ status, contentType: '', body: new Uint8Array() });
    });
    outgoing.on('error', (error) => reject(outgoing.reusedSocket ? Object.assign(error, { reused: true }) : error));
    outgoing.end(request.body);
    return promise;
  }

  #options(method: string, request: TransportRequest, giveUp: AbortSignal): RoutedOptions {
    const {
      connect: { via, ...at },
      serverName,
      authority,
      path,
      caBundle,
      client,
      headers,
      body,
    } = request;
    return {
      ...at,
      ...(via === undefined ? {} : { pod: { ...at, via }, giveUp }),
      path,
      method,
      agent: this.#agent(`${method}\n${serverName}\n${caBundle}\n${client?.certificate ?? ''}`, method),
      // An IP address cannot be a server name. The certificate is checked against the address instead.
      servername: isAddr(serverName) ? '' : serverName,
      ...(caBundle === '' ? {} : { ca: caBundle }),
      allowPartialTrustChain: true, // trusts any certificate of a bundle, including the server's own, as Go does
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
      headers: { ...headers, host: authority, ...(method === 'GET' ? {} : { 'content-length': body.length }) },
      lookup: this.#guard.lookup,
    };
  }

  #agent(key: string, method: string): PodAgent {
    const maxSockets = method === 'GET' ? GETS_AT_ONCE : Infinity;
    const kept = { keepAlive: true, timeout: 60_000, maxFreeSockets: 16, maxSockets };
    const agent = this.#agents.get(key) ?? new PodAgent(kept, this.#connectPod);
    this.#agents.delete(key);
    this.#agents.set(key, agent);
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > AGENTS && oldest !== undefined) {
      this.#agents.get(oldest)?.destroy();
      this.#agents.delete(oldest);
    }
    return agent;
  }
}

/** Whether the server closed a kept connection just as the request was sent, so that it has not processed the request. */
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
