import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { StatusError } from '#lib/machinery/errors.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { comes } from '#lib/server/channel/comes.ts';
import type { Dialer } from '#lib/server/channel/dialer.ts';
import type { BackendRequest, BackendResponse, RoundTripper } from '#lib/server/channel/round-tripper.ts';
import type { Upgrade } from '#lib/server/channel/upgrade.ts';
import { faultText } from '#lib/server/webhook/fault-text.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { framingHeaders, writeBody } from './request-body.ts';
import { connectTls, type SecureOptions } from './secure.ts';
import { duplexOf } from './stream.ts';

/** The dialer and certificates for backends. */
export interface HttpRoundTripperOptions extends SecureOptions {
  readonly dialer: Dialer;
  /** Time-out in ms for a connection, including TLS. */
  readonly timeout: number;
}

/** Time-out in ms for a backend to respond to a request to switch protocols, even with a refusal. */
const UPGRADE_TIMEOUT = 60_000;
/** Maximum number of informational responses (100, 103) before the final response, which is Go's limit. */
const MAX_INFORMATIONAL = 5;

/** HTTP/1.1 over a dialer, with a separate connection for each request. */
export class HttpRoundTripper implements RoundTripper {
  readonly #options: HttpRoundTripperOptions;

  constructor(options: HttpRoundTripperOptions) {
    this.#options = options;
  }

  async send(request: BackendRequest): Promise<BackendResponse> {
    const connection = await this.#connect(request);
    try {
      return await exchange(connection, request);
    } catch (error) {
      connection.destroy();
      throw transportError(error, request, false);
    }
  }

  async #connect({ target, tls, signal }: BackendRequest): Promise<Duplex> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#options.timeout);
    const either = AbortSignal.any([signal, late.signal]);
    try {
      const plain = duplexOf(await this.#options.dialer.dial(target, either));
      return tls === 'none' ? plain : await connectTls(plain, this.#options, { target, tls, signal: either });
    } catch (error) {
      throw transportError(error, { target, tls }, late.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }
}

type Peer = Pick<BackendRequest, 'target' | 'tls'>;

function transportError(error: unknown, { target, tls }: Peer, timedOut: boolean): Error {
  if (error instanceof TransportError || error instanceof StatusError) return error;
  const { host, port } = target;
  const serverName = typeof tls === 'object' ? tls.serverName : host;
  const text = timedOut
    ? `dial tcp ${joinHostPort(host, port)}: i/o timeout`
    : faultText(error, { connect: target, serverName }, false);
  return new TransportError(text, { cause: error });
}

/** Resolves with the response once its headers arrive. A caller that gives up ends the connection via the dialer's signal. */
function exchange(connection: Duplex, { method, path, headers, body }: BackendRequest): Promise<BackendResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<BackendResponse>();
  connection.on('error', reject);
  const outgoing = httpRequest({
    method,
    path,
    headers: { ...headers, ...framingHeaders(headers, body) },
    setHost: false,
    createConnection: () => connection,
  });
  const timer =
    'upgrade' in headers ? setTimeout(() => void outgoing.destroy(lateUpgrade()), UPGRADE_TIMEOUT) : undefined;
  let informational = 0;
  outgoing
    .on('error', reject)
    .on('information', () => void (++informational > MAX_INFORMATIONAL && reject(tooManyInformational())))
    .on('close', () => {
      clearTimeout(timer);
      reject(new TransportError('EOF')); // called only if no response arrived
    })
    .on('response', (incoming) => {
      const { statusCode = 0 } = incoming;
      if (statusCode === 101) reject(unasked());
      else if (statusCode < 200 || statusCode > 599) reject(malformed(statusCode));
      else resolve(answerOf(incoming, connection));
    })
    .on('upgrade', (incoming, _socket, head) =>
      'upgrade' in headers ? resolve(switched(incoming, connection, head)) : reject(unasked()),
    );
  writeBody(body, outgoing).catch((error: unknown) => outgoing.destroy(cutOff(error)));
  return promise;
}

const lateUpgrade = (): Error => new TransportError('net/http: timeout awaiting response headers');

const cutOff = (error: unknown): Error => new TransportError('unexpected EOF', { cause: error });

const tooManyInformational = (): Error => new TransportError('net/http: too many 1xx informational responses');

/** The error for a status that HTTP/2 cannot pass on, or that has no meaning. */
const malformed = (status: number): Error => new TransportError(`malformed HTTP status code "${status}"`);

const unasked = (): Error => new TransportError('unexpected switch of protocols');

const answerOf = (incoming: IncomingMessage, connection: Duplex): BackendResponse => ({
  status: incoming.statusCode ?? 0,
  headers: headersOf(incoming),
  body: bodyOf(incoming, connection),
});

/** The body. Reports a body that breaks off in Go's words. A reader that stops early ends the connection. */
const bodyOf = (incoming: Readable, connection: Duplex): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]() {
    const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
    return {
      next: () =>
        chunks.next().catch((error: unknown) => {
          throw cutOff(error);
        }),
      async return() {
        connection.destroy();
        return { done: true, value: undefined };
      },
    };
  },
});

const switched = (incoming: IncomingMessage, connection: Duplex, head: Buffer): BackendResponse => ({
  status: 101,
  headers: headersOf(incoming),
  body: following(head, connection),
  upgrade: receiverOf(connection),
});

async function* following(head: Buffer, connection: Duplex): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for await (const chunk of connection) yield chunk as Uint8Array;
  } finally {
    connection.destroy();
  }
}

/** Writes to the backend until the client ends or either side breaks. Then the stream ends in both directions. */
const receiverOf = (connection: Duplex): Upgrade => ({
  async receive(bytes) {
    try {
      await writeBody(bytes, connection);
      if (!connection.writableFinished) await comes('finish', connection);
    } catch {
      // the client has disconnected
    } finally {
      connection.destroy();
    }
  },
});

function headersOf({ headers }: IncomingMessage): BackendResponse['headers'] {
  const known = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as BackendResponse['headers'];
}
