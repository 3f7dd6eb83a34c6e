import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';

interface Kubeconfig {
  readonly clusters: readonly [{ cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Plain HTTPS requests with the client certificate in a kubeconfig. */
export class ApiConnection implements Disposable {
  readonly #server: string;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    const { clusters, users } = parse(kubeconfig) as Kubeconfig;
    const decoded = (text: string): Buffer => Buffer.from(text, 'base64');
    this.#server = clusters[0].cluster.server;
    this.#agent = new Agent({
      keepAlive: true,
      ca: decoded(clusters[0].cluster['certificate-authority-data']),
      cert: decoded(users[0].user['client-certificate-data']),
      key: decoded(users[0].user['client-key-data']),
    });
  }

  /** The complete response. Rejects if the connection breaks before its end. */
  async send(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.#open(method, path, body);
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await once(response, 'end');
    if (!response.complete) throw new Error(`${method} ${path}: the answer was cut off`);
    return { status: response.statusCode ?? 0, text };
  }

  async json<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** The lines of a watch as they arrive. Ends when the server ends the watch cleanly, and rejects if the connection breaks. */
  async *lines(path: string): AsyncGenerator<string> {
    const response = await this.#open('GET', path);
    yield* createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY });
    if (!response.complete) throw new Error(`GET ${path}: the stream was cut off`);
  }

  async #open(method: string, path: string, body?: object): Promise<IncomingMessage> {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(`${this.#server}${path}`, { method, agent: this.#agent, headers });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    outgoing.on('error', () => undefined);
    return response;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
