import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { TableError } from './faults.ts';

/** Milliseconds until somebody must have taken the connection. */
const CONNECTING = 2_000;
/** Those that are kept, and at most. */
const SOCKETS = { keepAlive: true, maxSockets: 50 };

export interface Exchanged {
  readonly status: number;
  readonly text: string;
}

/** Requests to one endpoint over connections that are kept. */
export class Exchange {
  readonly #endpoint: URL;
  readonly #timeout: number;
  readonly #agent: HttpAgent | HttpsAgent;

  /** `timeout`: milliseconds that one request may take. */
  constructor(endpoint: URL, timeout: number) {
    this.#endpoint = endpoint;
    this.#timeout = timeout;
    this.#agent = endpoint.protocol === 'https:' ? new HttpsAgent(SOCKETS) : new HttpAgent(SOCKETS);
  }

  /** Sends it once. Throws TableError where no whole answer comes: it may have been carried out. */
  post(headers: Readonly<Record<string, string>>, body: string): Promise<Exchanged> {
    const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
    const { protocol, hostname, port, pathname: path } = this.#endpoint;
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const host = hostname.replace(/^\[|\]$/g, '');
    const outgoing = send({ agent: this.#agent, method: 'POST', host, port, path, headers }, (incoming) =>
      read(incoming, resolve, reject),
    );
    const expire = (): void => void outgoing.destroy(new TableError('TimeoutError', 'no answer in time'));
    const timer = setTimeout(expire, this.#timeout);
    const connecting = setTimeout(() => outgoing.socket?.connecting === true && expire(), CONNECTING);
    outgoing.on('error', (error) => reject(lost(error)));
    outgoing.on('close', () => {
      clearTimeout(timer);
      clearTimeout(connecting);
    });
    outgoing.end(body);
    return promise;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function read(incoming: IncomingMessage, resolve: (answer: Exchanged) => void, reject: (error: Error) => void): void {
  const parts: Buffer[] = [];
  incoming.on('data', (part: Buffer) => parts.push(part));
  incoming.on('error', (error) => reject(lost(error)));
  incoming.on('end', () => {
    const [first = Buffer.alloc(0)] = parts;
    const whole = parts.length > 1 ? Buffer.concat(parts) : first;
    resolve({ status: incoming.statusCode ?? 0, text: whole.toString() });
  });
}

function lost(error: Error): TableError {
  if (error instanceof TableError) return error;
  const name = 'code' in error ? String(error.code) : error.name;
  return new TableError(name, error.message, undefined, { cause: error });
}
