import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { functionUrlEvent } from '#adapters/aws/lambda/testing.ts';
import { Environment, type FunctionOptions } from './environment.ts';

export interface FunctionUrlOptions extends FunctionOptions {
  /** The reserved concurrency. Excess requests receive 429, as on the platform. */
  readonly concurrency: number;
  readonly certificate: string;
  readonly key: string;
}

/** A function URL that streams: HTTPS in front of as many environments as needed, up to the reserved concurrency. */
export class FunctionUrl implements AsyncDisposable {
  readonly #options: FunctionUrlOptions;
  readonly #server: Server;
  readonly #environments: (Environment | undefined)[] = [];
  /** The accepted requests. */
  readonly asked: string[] = [];
  refused = 0;
  /** The size in bytes of the largest response, as the function wrote it. */
  largest = 0;

  private constructor(options: FunctionUrlOptions) {
    this.#options = options;
    const { certificate: cert, key } = options;
    this.#server = createServer({ cert, key }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async listen(options: FunctionUrlOptions): Promise<FunctionUrl> {
    const front = new FunctionUrl(options);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part as Buffer);
    const environment = await this.#free();
    if (environment === undefined) return this.#refuse(response);
    this.asked.push(request.url ?? '');
    const exchange = environment.invoke(functionUrlEvent(sentOf(request, Buffer.concat(body))));
    const { head, body: answer } = await exchange.read().catch(() => failed());
    response.writeHead(head.statusCode, head.headers).flushHeaders();
    // The function is not notified when its client disconnects, so it runs to its end.
    let size = 0;
    for await (const chunk of answer) {
      response.write(chunk);
      size += chunk.length;
    }
    response.end();
    this.largest = Math.max(this.largest, size);
  }

  /** An idle environment, or a new one. */
  async #free(): Promise<Environment | undefined> {
    const waiting = this.#environments.find((one) => one?.isBusy === false);
    if (waiting !== undefined) {
      waiting.isBusy = true;
      return waiting;
    }
    if (this.#environments.length >= this.#options.concurrency) return undefined;
    const place = this.#environments.push(undefined) - 1;
    const started = await Environment.start(this.#options);
    started.isBusy = true;
    return (this.#environments[place] = started);
  }

  #refuse(response: ServerResponse): void {
    this.refused++;
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end('{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded","Message":"Rate Exceeded."}');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all(this.#environments.map(async (one) => one?.stop()));
  }
}

function sentOf({ method = 'GET', url = '/', rawHeaders }: IncomingMessage, body: Buffer) {
  const headers = rawHeaders.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
  );
  return { method, target: url, headers, ...(body.length === 0 ? {} : { body }) };
}

/** The platform's response for a function that fails before it responds. */
const failed = () => ({
  head: { statusCode: 502, headers: {} },
  body: (async function* () {
    yield Buffer.from('Internal Server Error');
  })(),
});
