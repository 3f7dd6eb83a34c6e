import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { StoreError } from '#lib/storage/errors.ts';

/** Maximum bytes of a response. */
const LONGEST = 1024 * 1024;

const OPTIONS = {
  'grpc.max_receive_message_length': LONGEST,
  'grpc.client_idle_timeout_ms': 60_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
};

/** Makes calls wait for a plugin that starts or is replaced, as upstream's calls do. */
const PATIENT = new Metadata({ waitForReady: true });

/** Unary gRPC calls over a Unix socket, with encoded messages. */
export class UnaryClient implements Disposable {
  readonly #client: Client;

  /** `socket` is a path. One of Linux's abstract names begins with `\0`. */
  constructor(socket: string) {
    this.#client = new Client(`unix:${socket}`, credentials.createInsecure(), OPTIONS);
  }

  /** Returns the response message within this many ms. Throws StoreError Unavailable with gRPC's text if the call fails. */
  call(method: string, message: Buffer, timeout: number): Promise<Buffer> {
    const deadline = Date.now() + timeout;
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#client.makeUnaryRequest(method, asIs, asIs, message, PATIENT, { deadline }, (error, answer) => {
      if (error === null) resolve(answer ?? Buffer.alloc(0));
      else reject(unavailable(error));
    });
    return promise;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

const asIs = (message: Buffer): Buffer => message;

/** Formats a status as Go's gRPC does. */
const unavailable = (cause: ServiceError): StoreError =>
  new StoreError('Unavailable', `rpc error: code = ${codeName(cause.code)} desc = ${cause.details}`, { cause });

/** Converts a code such as INVALID_ARGUMENT to Go's InvalidArgument. */
const codeName = (code: status): string =>
  status[code].toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
