import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { parse } from 'yaml';
import { OPCODE } from '#lib/server/endpoints/web-socket/frame.ts';
import { exchange } from '#local/kubectl/streams/exchange.ts';
import { SpdyConnection } from '#local/kubectl/streams/spdy.ts';
import { tunnelOver } from '#local/kubectl/streams/tunnel.ts';
import { frames } from '#test/support/kubelet/web-socket.ts';
import { maskedFrame } from '#test/support/web-socket.ts';

/** Interval in ms between two pings. */
const PING_PERIOD = 50;
/** The number of pings before the client reads, and the number of bytes that it then reads after each ping. */
const PATIENCE = 30;
const STRIDE = 512 * 1024;
const WEB_SOCKET = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** An HTTPS server and the client's credentials. */
export interface SlowWay {
  readonly host: string;
  readonly port: number;
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly token?: string;
}

interface Kubeconfig {
  readonly clusters: readonly [{ cluster: { server: string; 'certificate-authority-data': string } }];
  readonly users: readonly [{ user: { 'client-certificate-data': string; 'client-key-data': string } }];
}

/** The connection to a kubeconfig's API server. */
export function apiWay(path: string): SlowWay {
  const { clusters, users } = parse(readFileSync(path, 'utf8')) as Kubeconfig;
  const decoded = (text: string): Buffer => Buffer.from(text, 'base64');
  const { hostname, port } = new URL(clusters[0].cluster.server);
  return {
    host: hostname,
    port: Number(port),
    ca: decoded(clusters[0].cluster['certificate-authority-data']),
    cert: decoded(users[0].user['client-certificate-data']),
    key: decoded(users[0].user['client-key-data']),
  };
}

/** The output that a client read: the bytes, and the text of the error stream. */
export interface SlowOutcome {
  readonly length: number;
  readonly sha256: string;
  readonly error: string;
}

/** The line that a container prints until it may continue. */
export const WAITING = 'wait\n';

class Digest {
  readonly #hash = createHash('sha256');
  #length = 0;
  /** The start of the output, while it may still be a waiting line. */
  #begun: Buffer | undefined = Buffer.alloc(0);

  /** Adds output without waiting lines. */
  add(bytes: Uint8Array): void {
    let rest = this.#begun === undefined ? bytes : Buffer.concat([this.#begun, bytes]);
    if (this.#begun !== undefined) {
      while (Buffer.from(rest.subarray(0, WAITING.length)).equals(Buffer.from(WAITING)))
        rest = rest.subarray(WAITING.length);
      this.#begun = WAITING.startsWith(Buffer.from(rest).toString('latin1')) ? Buffer.from(rest) : undefined;
      if (this.#begun !== undefined) return;
    }
    this.#hash.update(rest);
    this.#length += rest.length;
  }

  outcome(error: string): SlowOutcome {
    return { length: this.#length, sha256: this.#hash.digest('hex'), error };
  }
}

/** A connection that pings continuously and starts to read late. */
class SlowConnection implements Disposable {
  readonly socket: Duplex;
  readonly #timer: NodeJS.Timeout;
  #pings = 0;
  #tick = Promise.withResolvers<void>();

  constructor(socket: Duplex, ping: () => Uint8Array) {
    this.socket = socket;
    socket.on('error', () => undefined); // a read reports that it has ended
    this.#timer = setInterval(() => {
      this.#pings += 1;
      if (socket.writable) socket.write(ping());
      this.#tick.resolve();
      this.#tick = Promise.withResolvers();
    }, PING_PERIOD);
  }

  /** The same bytes, read late and in bursts. If a container waits, the delay starts after its first line, when `waits` is called. */
  async *slowly(bytes: AsyncIterable<Uint8Array>, waits?: () => void): AsyncGenerator<Uint8Array> {
    let read = 0;
    let isLate = waits === undefined;
    if (isLate) await this.#late();
    for await (const chunk of bytes) {
      yield chunk;
      if (!isLate && Buffer.from(chunk).includes(WAITING)) {
        isLate = true;
        waits?.();
        await this.#late();
      }
      read += chunk.length;
      if (read < STRIDE) continue;
      read = 0;
      await this.#tick.promise;
    }
  }

  async #late(): Promise<void> {
    for (const until = this.#pings + PATIENCE; this.#pings < until; ) await this.#tick.promise;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.socket.destroy();
  }
}

async function dialled({ host, port, ...proof }: SlowWay): Promise<Duplex> {
  const socket = connect({
    host,
    port,
    ...proof,
    rejectUnauthorized: proof.ca !== undefined,
    ALPNProtocols: ['http/1.1'],
  });
  await once(socket, 'secureConnect');
  return socket;
}

const authorization = ({ token }: SlowWay): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

async function upgraded(way: SlowWay, path: string, headers: Readonly<Record<string, string>>): Promise<Duplex> {
  const method = headers['upgrade'] === 'websocket' ? 'GET' : 'POST';
  const asked = { method, path, headers: { ...headers, ...authorization(way) } } as const;
  const answer = await exchange({ stream: await dialled(way) }, asked);
  if (!(answer instanceof IncomingMessage)) return answer.connection;
  throw new Error(`${answer.statusCode} ${(await answer.setEncoding('utf8').toArray()).join('')}`);
}

/** Reads the whole standard output of exec or attach via a WebSocket with this protocol. Calls `waits` at the first waiting line. */
export async function byWebSocket(
  way: SlowWay,
  path: string,
  { protocol, waits }: { readonly protocol: string; readonly waits?: (() => void) | undefined },
): Promise<SlowOutcome> {
  const headers = { ...WEB_SOCKET, 'sec-websocket-protocol': protocol };
  using connection = new SlowConnection(await upgraded(way, path, headers), () => maskedFrame(OPCODE.ping, 'ping'));
  const output = new Digest();
  let [error, last] = ['', 'no close frame'];
  for await (const { opcode, payload } of frames(connection.slowly(connection.socket, waits))) {
    if (opcode === OPCODE.close) last = payload.readUInt16BE() === 1000 ? '' : `closed: ${payload.readUInt16BE()}`;
    if (opcode !== OPCODE.binary) continue;
    if (payload[0] === 1) output.add(payload.subarray(1));
    if (payload[0] === 3) error += payload.subarray(1).toString();
  }
  return output.outcome(error + last);
}

let pings = -1;
/** A SPDY/3.1 ping with an odd number, as required for a client's. */
function spdyPing(): Buffer {
  const bytes = Buffer.from([0x80, 3, 0, 6, 0, 0, 0, 4, 0, 0, 0, 0]);
  bytes.writeUInt32BE((pings = (pings + 2) % 0x7f_ff_ff_ff), 8);
  return bytes;
}

const spdyUpgrade = (protocol: string) => ({
  connection: 'Upgrade',
  upgrade: 'SPDY/3.1',
  'x-stream-protocol-version': protocol,
});

/** The standard output of exec or attach via SPDY, to its end. Calls `waits` at the first waiting line. */
export async function bySpdy(way: SlowWay, path: string, waits?: () => void): Promise<SlowOutcome> {
  using connection = new SlowConnection(await upgraded(way, path, spdyUpgrade('v4.channel.k8s.io')), spdyPing);
  const spdy = new SpdyConnection(connection.socket);
  const error = spdy.open({ streamtype: 'error' }).end();
  const stdout = spdy.open({ streamtype: 'stdout' }).end();
  const output = new Digest();
  for await (const chunk of connection.slowly(stdout, waits)) output.add(chunk);
  return output.outcome((await error.setEncoding('utf8').toArray()).join(''));
}

/** An HTTP/1.0 GET to a port of a pod, whose response is read late: via SPDY, or via a WebSocket tunnel. */
export async function byPortForward(way: SlowWay, at: { path: string; port: number; file: string }, isTunnel: boolean) {
  const opened = isTunnel
    ? await tunnelOver({ stream: await dialled(way) }, at.path)
    : await upgraded(way, at.path, spdyUpgrade('portforward.k8s.io'));
  if (opened === undefined) throw new Error('the tunnel is refused');
  using connection = new SlowConnection(opened, spdyPing);
  const spdy = new SpdyConnection(connection.socket);
  const headers = { port: String(at.port), requestid: '0' };
  const error = spdy.open({ ...headers, streamtype: 'error' }).end();
  const data = spdy.open({ ...headers, streamtype: 'data' });
  data.write(`GET ${at.file} HTTP/1.0\r\n\r\n`);
  const output = new Digest();
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of connection.slowly(data)) {
    if (head === undefined) output.add(chunk);
    else {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) continue;
      output.add(head.subarray(end + 4));
      head = undefined;
    }
  }
  return output.outcome((await error.setEncoding('utf8').toArray()).join(''));
}

/** A log via HTTP, which has no pings. */
export async function byHttp(way: SlowWay, path: string): Promise<SlowOutcome> {
  const socket = await dialled(way);
  const answer = await exchange({ stream: socket }, { method: 'GET', path, headers: authorization(way) });
  if (!(answer instanceof IncomingMessage)) throw new Error('the protocol changed');
  using connection = new SlowConnection(socket, () => new Uint8Array());
  const output = new Digest();
  for await (const chunk of connection.slowly(answer)) output.add(chunk);
  return output.outcome(answer.complete ? '' : 'cut off');
}
