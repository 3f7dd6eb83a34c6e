import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { serviceUnavailable } from '#lib/machinery/errors.ts';
import { isAddr } from '#lib/machinery/net/parse-addr.ts';
import type { UnsignedRequest } from '#lib/server/authentication/node-assertion/claims.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/** Authenticates each request with headers. */
export interface RequestSigner {
  headers(request: UnsignedRequest): Readonly<Record<string, string>>;
  /** Processes the headers of a response. Returns true if the request should be retried. */
  heard(headers: IncomingHttpHeaders): boolean;
}

/** A remote API server and the client's credentials. */
export interface Remote {
  /** An https URL. Request paths are appended to its path. */
  readonly url: string;
  /** CA certificates, PEM. '' trusts the system's roots. */
  readonly caBundle: string;
  /** The name for which the certificate must be valid, if it is not the URL's host. */
  readonly serverName?: string;
  /** Skips the verification of the server's certificate. */
  readonly insecure?: boolean;
  readonly credentials?: {
    readonly certificate?: { readonly certificate: string; readonly key: string };
    /** Returns a token for each request. `refused` is the token that the server rejected. */
    token?(refused?: string): Promise<string>;
    /** Signs each request, if the server requires it. */
    readonly signer?: RequestSigner;
  };
}

/** Time in ms without data after which a response other than a watch counts as lost. A watch may overrun its end by the same time. */
const PATIENCE = 65_000;
const LATE = 30_000;
/** Time in ms without data after which a connection is probed. */
const PROBE = 15_000;

/** Sends requests to an API server over HTTPS with HTTP/1.1. Connections are reused, and each watch has its own. */
export class ApiConnection implements Disposable {
  readonly #remote: Remote;
  readonly #agent: Agent;

  constructor(remote: Remote) {
    const { caBundle, credentials, insecure = false, serverName } = remote;
    const { certificate } = credentials ?? {};
    this.#remote = remote;
    this.#agent = new Agent({
      keepAlive: true,
      keepAliveMsecs: PROBE,
      rejectUnauthorized: !insecure,
      ...(caBundle === '' ? {} : { ca: caBundle }),
      allowPartialTrustChain: true, // trusts any certificate of a bundle, including the server's own, as Go does
      ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
      ...(serverName === undefined || isAddr(serverName) ? {} : { servername: serverName }),
    });
  }

  /** Returns the response, which is streamed for a watch. Throws ServiceUnavailable if no response arrives. */
  async handle(request: ApiRequest): Promise<ApiResponse> {
    const body = await request.body();
    const token = await this.#remote.credentials?.token?.();
    const answer = await this.#exchange(request, body, token);
    if (answer.status !== 401 || token === undefined) return answer;
    const fresh = await this.#remote.credentials?.token?.(token);
    return fresh === undefined || fresh === token ? answer : this.#exchange(request, body, fresh);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  async #exchange(request: ApiRequest, body: Uint8Array, token: string | undefined): Promise<ApiResponse> {
    const isWatch = request.query.get('watch') === 'true';
    try {
      let incoming = await this.#answer(request, body, token);
      if (this.#remote.credentials?.signer?.heard(incoming.headers) === true) {
        incoming.resume();
        incoming = await this.#answer(request, body, token);
      }
      const status = incoming.statusCode ?? 0;
      const whole = isWatch && status < 300 ? incoming : await read(incoming);
      return { status, headers: {}, body: whole };
    } catch (error) {
      const { host } = new URL(this.#remote.url);
      const why = messageOfError(error);
      throw serviceUnavailable(`${request.method} https://${host}${request.path}: ${why}`);
    }
  }

  /** Waits for the head of a response. A GET is sent again if its connection had just been closed. */
  async #answer(request: ApiRequest, body: Uint8Array, token: string | undefined): Promise<IncomingMessage> {
    return this.#send(request, body, token).catch((error: unknown) => {
      if (request.method !== 'GET' || !isStale(error)) throw error;
      return this.#send(request, body, token);
    });
  }

  #send(request: ApiRequest, body: Uint8Array, token: string | undefined): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const timeout = Number(request.query.get('timeoutSeconds') ?? 0) * 1000;
    const isWatch = request.query.get('watch') === 'true';
    const gone = request.signal();
    const signal = isWatch ? AbortSignal.any([gone, AbortSignal.timeout(timeout + LATE)]) : gone;
    const { origin, pathname } = new URL(this.#remote.url);
    const query = request.query.size === 0 ? '' : `?${request.query}`;
    const { method, path } = request;
    const target = { method, path, query: request.query };
    const headers = {
      ...request.headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...this.#remote.credentials?.signer?.headers({ ...target, body }),
      ...(request.method === 'GET' ? {} : { 'content-length': body.length }),
    };
    const outgoing = httpsRequest(`${origin}${pathname.replace(/\/$/, '')}${request.path}${query}`, {
      method: request.method,
      agent: this.#agent,
      headers,
      signal,
    });
    if (!isWatch) outgoing.setTimeout(PATIENCE, () => outgoing.destroy(new Error('no answer came')));
    outgoing.on('error', (error) => reject(outgoing.reusedSocket ? Object.assign(error, { reused: true }) : error));
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the server left HTTP (101)'));
    });
    outgoing.on('response', resolve);
    outgoing.end(body.length === 0 ? undefined : body);
    return promise;
  }
}

/** Whether the server closed a reused connection just as the request was sent. */
const isStale = (error: unknown): boolean =>
  error instanceof Error &&
  'reused' in error &&
  'code' in error &&
  (error.code === 'ECONNRESET' || error.code === 'EPIPE');

async function read(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
