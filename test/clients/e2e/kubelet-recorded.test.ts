import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { eventually } from '#test/support/eventually.ts';
import { type Exchange, parseExchange } from '#test/support/kubelet/exchange.ts';
import { type Kubelet, startKubelet } from '#test/support/kubelet/kubelet.ts';
import { requester } from '#test/support/requester.ts';

const FOLDER = join(import.meta.dirname, '../../support/fixtures/kubelet');
const RECORDED = readdirSync(FOLDER).map((file): readonly [string, Exchange] => {
  const exchange = parseExchange(readFileSync(join(FOLDER, file), 'utf8'));
  return [`${file}: ${exchange.title}`, exchange];
});

let kubelet: Kubelet;
let server: RunningApiserver;

beforeAll(async () => {
  kubelet = await startKubelet();
  server = await startApiserver({ controllers: false, scheduler: false, kubelet: kubelet.options });
  const ask = requester(server);
  const made = async (path: string, object: JsonObject): Promise<void> => {
    const { status, body } = await ask('POST', path, object);
    expect(status, String(body['message'])).toBe(201);
  };
  const containers = ['main', 'cat'].map((name) => ({ name, image: 'i' }));
  await made('/api/v1/nodes', { metadata: { name: 'n1' }, status: kubelet.nodeStatus as unknown as JsonObject });
  await made('/api/v1/namespaces', { metadata: { name: 'streams' } });
  await made('/api/v1/namespaces/streams/serviceaccounts', { metadata: { name: 'default' } });
  await made('/api/v1/namespaces/streams/pods', { metadata: { name: 'web' }, spec: { nodeName: 'n1', containers } });
});
afterAll(async () => {
  await server.close();
  await kubelet.close();
});

/** The unread bytes of a connection. */
class Incoming {
  #bytes: Buffer = Buffer.alloc(0);

  constructor(socket: Duplex) {
    socket.on('data', (chunk: Buffer) => void (this.#bytes = Buffer.concat([this.#bytes, chunk])));
    socket.on('error', () => {});
  }

  /** Reads this many bytes, and waits until they have arrived. */
  async take(size: number): Promise<Buffer> {
    await eventually(
      () => this.#bytes.length >= size,
      () => `${size} bytes after ${this.#bytes.length}`,
    );
    const taken = this.#bytes.subarray(0, size);
    this.#bytes = this.#bytes.subarray(size);
    return taken;
  }

  /** The head of an HTTP message. */
  async head(): Promise<string> {
    await eventually(
      () => this.#bytes.includes('\r\n\r\n'),
      () => 'a head',
    );
    return (await this.take(this.#bytes.indexOf('\r\n\r\n') + 4)).toString('latin1');
  }
}

async function connected(): Promise<TLSSocket> {
  const socket = tlsConnect({ host: '127.0.0.1', port: server.port, ca: server.certificateAuthority });
  await once(socket, 'secureConnect');
  return socket;
}

/** Sorts the lines of a head, because their order does not matter. */
const linesOf = (head: string): string[] =>
  head
    .split('\r\n')
    .map((line) => line.replace(/^[^:]*:/, (name) => name.toLowerCase()))
    .toSorted();

describe.each(RECORDED)('the recorded stream %s', (_, { request, passedOn, answer, passedBack, pieces }) => {
  test('passes byte for byte', async () => {
    const upgraded = Promise.withResolvers<Duplex>();
    kubelet.on('/', { upgrade: (_message, socket) => upgraded.resolve(socket) });
    const client = await connected();
    const fromServer = new Incoming(client);
    client.write(request.replace('\r\n', `\r\nAuthorization: Bearer ${server.adminToken}\r\n`), 'latin1');
    const socket = await upgraded.promise;
    const fromClient = new Incoming(socket);
    expect(linesOf(kubelet.head())).toEqual(linesOf(passedOn));
    socket.write(answer, 'latin1');
    expect(linesOf(await fromServer.head())).toEqual(linesOf(passedBack));
    for (const { way, bytes } of pieces) {
      (way === 'there' ? client : socket).write(bytes);
      expect(await (way === 'there' ? fromClient : fromServer).take(bytes.length)).toEqual(bytes);
    }
    client.destroy();
    await once(socket, 'close');
  });
});
