import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ExtenderRequest, ExtenderTls, ExtenderTransport } from '#lib/scheduler/extender/transport.ts';

/** A longer answer is refused. Extenders that do not know the nodes are told all of them, and tell them back. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Extenders over HTTP/1.1, with and without TLS: connections are kept, no proxy, no redirects. */
export class HttpExtenderTransport implements ExtenderTransport, Disposable {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new Map<ExtenderTls, HttpsAgent>();

  async post({ url, tls, body, timeout }: ExtenderRequest): Promise<{ status: number; body: Uint8Array }> {
    const signal = AbortSignal.timeout(timeout);
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const options: RequestOptions = { method: 'POST', headers, signal };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const isSecure = url.startsWith('https:');
    const outgoing = isSecure
      ? httpsRequest(url, { ...options, agent: this.#secure(tls) }, resolve)
      : httpRequest(url, { ...options, agent: this.#http }, resolve);
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the extender left HTTP (101)'));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    try {
      const incoming = await promise;
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

  #secure(tls: ExtenderTls): HttpsAgent {
    const known = this.#https.get(tls);
    if (known !== undefined) return known;
    const { insecure, serverName, ca, client } = tls;
    const agent = new HttpsAgent({
      keepAlive: true,
      rejectUnauthorized: !insecure,
      ...(serverName === '' ? {} : { servername: serverName }),
      ...(ca === '' ? {} : { ca }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    });
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
