import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { isObject, type Json, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** A server's address and the client's credentials. */
export interface Access {
  readonly server: string;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string; rejectUnauthorized: boolean };
  readonly token: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** The first cluster and user in a kubeconfig. Only inline data is read. */
export function accessOf(kubeconfig: string): Access {
  const { value } = decodeYaml(readFileSync(kubeconfig));
  const root = isObject(value) ? value : {};
  const cluster = first(root, 'clusters', 'cluster');
  const user = first(root, 'users', 'user');
  const [ca, cert, key] = [
    text(cluster, 'certificate-authority-data'),
    text(user, 'client-certificate-data'),
    text(user, 'client-key-data'),
  ];
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), rejectUnauthorized: ca !== undefined };
  return { server: stringAt(cluster, 'server') ?? '', tls, token: stringAt(user, 'token') };
}

function first(root: JsonObject, list: string, field: string): JsonObject {
  const items: Json = root[list] ?? [];
  const [item] = Array.isArray(items) ? items : [];
  return (isObject(item) ? objectAt(item, field) : undefined) ?? {};
}

function text(object: JsonObject, field: string): string | undefined {
  const value = stringAt(object, field);
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString();
}

/** One HTTP/2 connection. */
export class Connection {
  readonly #access: Access;
  readonly #session: ClientHttp2Session;

  constructor(access: Access) {
    this.#access = access;
    this.#session = connect(access.server, access.tls);
    this.#session.setMaxListeners(0);
    this.#session.on('error', () => undefined);
  }

  /** A second connection to the same server. */
  another(): Connection {
    return new Connection(this.#access);
  }

  /** Accepts any response. Rejects if there is none. */
  async ask(
    method: string,
    path: string,
    body?: JsonObject | string,
    contentType = 'application/json',
    accept = 'application/json',
  ): Promise<Answer> {
    const stream = this.#open(method, path, { accept, ...(body === undefined ? {} : { 'content-type': contentType }) });
    stream.end(typeof body === 'object' ? JSON.stringify(body) : body);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk)); // an iterator created after the headers may miss data
    const [[headers]] = (await Promise.all([once(stream, 'response'), once(stream, 'end')])) as [
      [Record<string, unknown>],
      unknown,
    ];
    return { status: Number(headers[':status']), body: Buffer.concat(chunks) };
  }

  /** The response of a request that must succeed. */
  async request(...request: Parameters<Connection['ask']>): Promise<Buffer> {
    const { status, body } = await this.ask(...request);
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${body.toString().slice(0, 300)}`);
    return body;
  }

  /** Reads a response that is too large for memory, chunk by chunk, and returns its status. */
  async drain(path: string, onChunk: (chunk: Buffer) => void, accept = 'application/json'): Promise<number> {
    const stream = this.#open('GET', path, { accept });
    stream.end();
    stream.on('data', onChunk);
    const [[headers]] = (await Promise.all([once(stream, 'response'), once(stream, 'end')])) as [
      [Record<string, unknown>],
      unknown,
    ];
    return Number(headers[':status']);
  }

  /** Starts a watch and calls back for each line of it. Resolves when the watch is open. */
  async watch(path: string, onLine: (line: string) => void): Promise<void> {
    const stream = this.#open('GET', path, {});
    stream.end();
    stream.setEncoding('utf8');
    let rest = '';
    stream.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
    });
    await once(stream, 'response');
  }

  close(): void {
    this.#session.destroy();
  }

  #open(method: string, path: string, headers: Record<string, string>): ClientHttp2Stream {
    const { token } = this.#access;
    const stream = this.#session.request(
      {
        ':method': method,
        ':path': path,
        accept: 'application/json',
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      { endStream: false },
    );
    stream.on('error', () => undefined);
    return stream;
  }
}
