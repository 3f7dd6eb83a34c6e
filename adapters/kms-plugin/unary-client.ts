import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { StoreError } from '#lib/storage/errors.ts';

/** Bytes of an answer, its prefix included. */
const LONGEST = 1024 * 1024;
const PREFIX = 5;
const IDLE = 60_000;

/** Unary calls of gRPC over a Unix socket, uncompressed: one connection, made when it is needed, closed when it is idle. */
export class UnaryClient implements Disposable {
  readonly #socket: string;
  #session: ClientHttp2Session | undefined;
  #underWay = 0;

  /** A path; one of Linux's abstract names begins with `\0`. */
  constructor(socket: string) {
    this.#socket = socket;
  }

  /** The answer's message. Throws StoreError Unavailable with what gRPC, or the system, says of a failure. */
  async call(method: string, message: Uint8Array, timeout: number): Promise<Uint8Array> {
    const reused = this.#session;
    const session = this.#connected();
    try {
      return await this.#exchange(session, { method, message, timeout });
    } catch (error) {
      // Whoever listened there before may have been replaced: nothing that is asked here is done twice.
      if (reused === undefined || !session.closed) throw unavailable(error);
      return await this.#exchange(this.#connected(), { method, message, timeout }).catch((again: unknown) => {
        throw unavailable(again);
      });
    }
  }

  #connected(): ClientHttp2Session {
    const known = this.#session;
    if (known !== undefined && !known.closed && !known.destroyed) return known;
    const session = connectHttp2('http://localhost', { createConnection: () => connect(this.#socket) });
    session.on('error', () => session.close()); // its requests are told
    session.setTimeout(IDLE, () => session.close());
    return (this.#session = session);
  }

  async #exchange(session: ClientHttp2Session, asked: Asked): Promise<Uint8Array> {
    session.ref();
    this.#underWay++;
    try {
      return await exchange(session, asked);
    } finally {
      if (--this.#underWay === 0) session.unref(); // an idle connection keeps no process alive
    }
  }

  [Symbol.dispose](): void {
    this.#session?.destroy();
  }
}

interface Asked {
  readonly method: string;
  readonly message: Uint8Array;
  readonly timeout: number;
}

function exchange(session: ClientHttp2Session, { method, message, timeout }: Asked): Promise<Uint8Array> {
  const headers = {
    ':method': 'POST',
    ':path': method,
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-timeout': `${timeout}m`,
  };
  const stream = session.request(headers, { signal: AbortSignal.timeout(timeout) });
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  let size = 0;
  let told: IncomingHttpHeaders = {};
  stream.on('response', (answered) => (told = answered));
  stream.on('trailers', (trailers) => (told = { ...told, ...trailers }));
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > LONGEST) stream.destroy(new Error(`the answer is longer than ${LONGEST} bytes`));
    else chunks.push(chunk);
  });
  stream.on('error', reject);
  stream.on('close', () => {
    try {
      resolve(messageOf(told, Buffer.concat(chunks)));
    } catch (error) {
      reject(error);
    }
  });
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(message.length, 1);
  stream.end(Buffer.concat([prefix, message]));
  return promise;
}

function messageOf(told: IncomingHttpHeaders, body: Buffer): Uint8Array {
  const { ':status': status, 'grpc-status': code, 'grpc-message': said } = told;
  if (code !== '0') {
    const text = typeof said === 'string' ? unescaped(said) : `HTTP status ${String(status)}`;
    throw new Error(`rpc error: code = ${String(code)} desc = ${text}`);
  }
  const length = body.length < PREFIX ? -1 : body.readUInt32BE(1);
  if (body[0] !== 0 || body.length !== PREFIX + length) throw new Error('rpc error: the answer is not one message');
  return body.subarray(PREFIX);
}

/** As gRPC percent-encodes messages; what is not encoded so stands for itself. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString();

function unavailable(cause: unknown): StoreError {
  const late = cause instanceof Error && cause.name === 'AbortError';
  const text = late ? 'no answer in time' : cause instanceof Error ? cause.message : String(cause);
  return new StoreError('Unavailable', text, { cause });
}
