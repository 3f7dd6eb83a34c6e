import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Exchange } from './exchange.ts';

/** The Runtime API of one execution environment. The runtime requests the next event, and streams its response, one event at a time. */
export class RuntimeApi {
  readonly #server: Server;
  readonly #waiting = Promise.withResolvers<void>();
  #next: ServerResponse | undefined;
  #current: Exchange | undefined;
  #queued: { readonly event: object; readonly deadline: number } | undefined;

  private constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response));
    // The runtime responds on an idle connection. If that connection is closed just then, the response is lost and the caller waits
    // forever.
    this.#server.keepAliveTimeout = 0;
  }

  static async listen(): Promise<RuntimeApi> {
    const api = new RuntimeApi();
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the runtime requests its first event. Rejects if its initialization failed. */
  get ready(): Promise<void> {
    return this.#waiting.promise;
  }

  /** Passes the event to the runtime. `milliseconds` is the function's time-out. */
  invoke(event: object, milliseconds: number): Exchange {
    if (this.#current !== undefined) throw new Error('the environment has an event already');
    const exchange = (this.#current = new Exchange());
    exchange.done.then(
      () => (this.#current = undefined),
      () => (this.#current = undefined),
    );
    this.#queued = { event, deadline: Date.now() + milliseconds };
    this.#deliver();
    return exchange;
  }

  /** Ends the environment. */
  async close(): Promise<void> {
    this.#current?.fail(new Error('the environment ended'));
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #deliver(): void {
    const [response, queued] = [this.#next, this.#queued];
    if (response === undefined || queued === undefined) return;
    this.#next = this.#queued = undefined;
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': randomUUID(),
      'lambda-runtime-deadline-ms': String(queued.deadline),
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:123456789012:function:davit',
    });
    response.end(JSON.stringify(queued.event));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    if (path.endsWith('/invocation/next')) {
      this.#next = response;
      this.#waiting.resolve();
      this.#deliver();
    } else if (path.endsWith('/response')) {
      this.#current?.answer(request);
      request.once('end', () => response.writeHead(202).end());
    } else {
      void this.#fail(request, response);
    }
  }

  async #fail(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    response.writeHead(202).end();
    const error = new Error(Buffer.concat(parts).toString());
    this.#waiting.reject(error);
    this.#current?.fail(error);
  }
}
