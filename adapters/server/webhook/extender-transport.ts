import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ExtenderRequest, ExtenderTls, ExtenderTransport } from '#lib/scheduler/extender/transport.ts';
import type { Address } from '#lib/server/webhook/service-resolver.ts';
import { AddressGuard } from './address-guard.ts';
import { type ConnectPod, connectPod, PodAgent, type RoutedOptions } from './pod-agent.ts';

/** Maximum bytes of a response. Extenders without a node cache receive all nodes and send them back. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Calls extenders over HTTP/1.1, with or without TLS. Connections are reused, except those to pods without TLS. Proxies and redirects are
 * not used. Addresses of Services are checked like those of webhooks, but addresses in the operator's configuration are not.
 */
export class HttpExtenderTransport implements ExtenderTransport, Disposable {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new Map<ExtenderTls, PodAgent>();
  readonly #guard = new AddressGuard();
  readonly #connectPod: ConnectPod | undefined;

  /** `connect` reaches pods via the channels of their nodes. Without it, pods are dialled directly. */
  constructor(connect?: ConnectPod) {
    this.#connectPod = connect;
  }

  async post(request: ExtenderRequest): Promise<{ status: number; body: Uint8Array }> {
    const { url, timeout } = request;
    const signal = AbortSignal.timeout(timeout);
    try {
      const incoming = await this.#answer(request, signal);
      return { status: incoming.statusCode ?? 0, body: await bodyOf(incoming) };
    } catch (error) {
      const why = signal.aborted
        ? `no answer within ${timeout} ms`
        : error instanceof Error
          ? error.message
          : String(error);
      throw new Error(`Post "${url}": ${why}`, { cause: error });
    }
  }

  [Symbol.dispose](): void {
    for (const agent of [this.#http, ...this.#https.values()]) agent.destroy();
    this.#https.clear();
  }

  async #answer({ url, connect, tls, body }: ExtenderRequest, signal: AbortSignal): Promise<IncomingMessage> {
    if (connect !== undefined) this.#guard.check(connect);
    const { host } = new URL(url);
    const headers = { host, 'content-type': 'application/json', 'content-length': body.length };
    const options: RoutedOptions = { method: 'POST', headers, signal, ...this.#placeOf(url, connect, signal) };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = url.startsWith('https:')
      ? httpsRequest(url, { ...options, agent: this.#secure(tls) }, resolve)
      : httpRequest(url, { ...options, ...(await this.#plain(options)) }, resolve);
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the extender left HTTP (101)'));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  }

  /** Resolves a Service's URL to an address. TLS and the Host header still use the names in the URL. */
  #placeOf(url: string, connect: Address | undefined, giveUp: AbortSignal): RoutedOptions {
    if (connect === undefined) return {};
    const { hostname: servername } = new URL(url);
    const { via, host, port } = connect;
    const pod = via === undefined ? {} : { pod: { host, port, via }, giveUp };
    return { hostname: host, host, port, servername, lookup: this.#guard.lookup, ...pod };
  }

  /** Prepares HTTP without TLS to a pod, over a separate connection. */
  async #plain({ pod, giveUp }: RoutedOptions): Promise<RequestOptions> {
    if (pod === undefined || this.#connectPod === undefined) return { agent: this.#http };
    const connection = await connectPod(this.#connectPod, pod, giveUp);
    return { createConnection: () => connection };
  }

  #secure(tls: ExtenderTls): PodAgent {
    const known = this.#https.get(tls);
    if (known !== undefined) return known;
    const { insecure, serverName, ca, client } = tls;
    const options = {
      keepAlive: true,
      rejectUnauthorized: !insecure,
      ...(serverName === '' ? {} : { servername: serverName }),
      ...(ca === '' ? {} : { ca }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    };
    const agent = new PodAgent(options, this.#connectPod);
    this.#https.set(tls, agent);
    return agent;
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    parts.push(part);
    length += part.length;
    if (length > MAX_BYTES) throw new Error(`the answer is longer than ${MAX_BYTES} bytes`);
  }
  return Buffer.concat(parts);
}
