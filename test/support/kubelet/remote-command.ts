import type { IncomingMessage } from 'node:http';
import { type Duplex, PassThrough, type Readable, Writable } from 'node:stream';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { serveSpdy } from './spdy.ts';
import { protocolsOf, TUNNEL, tunnelOf, WebSocketPeer } from './web-socket.ts';

/** An `exec` or `attach` from the container's point of view. */
export interface RemoteCommand {
  readonly command: readonly string[];
  readonly tty: boolean;
  /** Whether the client sends standard input. */
  readonly hasStdin: boolean;
  /** Ends when the client ends it. Empty if the client sends none. */
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Calls `act` with each size of the client's terminal, as JSON. */
  onSize(act: (size: TerminalSize) => void): void;
  /** Ends the outputs, reports how the command ended, and closes the connection. */
  end(status: JsonObject): void;
}

export interface TerminalSize {
  readonly Width: number;
  readonly Height: number;
}

/** Numbers of WebSocket channels. The client closes one with a message on `CLOSE`. */
const CHANNELS = ['stdin', 'stdout', 'stderr', 'error', 'resize'] as const;
const CLOSE = 255;
const SPDY_PROTOCOL = 'v4.channel.k8s.io';

/** WebSocket subprotocols that a kubelet of 1.36 serves. Earlier ones lack the first. */
export const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/**
 * Accepts the client's connection and calls `run` after its streams are open. An unknown subprotocol is rejected. SPDY inside a WebSocket
 * is accepted as by a node agent; a kubelet rejects it.
 */
export function serveRemoteCommand(
  request: IncomingMessage,
  socket: Duplex,
  protocols: readonly string[],
  run: (command: RemoteCommand) => void,
): void {
  if (request.headers.upgrade !== 'websocket') {
    acceptSpdy(socket, SPDY_PROTOCOL);
    return overSpdy(request, socket, run);
  }
  if (protocolsOf(request).includes(TUNNEL))
    return overSpdy(request, tunnelOf(new WebSocketPeer(request, socket, TUNNEL)), run);
  const protocol = protocolsOf(request).find((one) => protocols.includes(one));
  if (protocol === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  overWebSocket(request, new WebSocketPeer(request, socket, protocol), run);
}

interface Asked {
  readonly command: readonly string[];
  readonly tty: boolean;
  readonly streams: readonly string[];
}

/** Upstream's NewOptions. A terminal has no separate stderr. */
function askedBy({ url = '' }: IncomingMessage): Asked {
  const query = new URL(url, 'https://node').searchParams;
  const is = (name: string): boolean => query.get(name) === '1';
  const tty = is('tty');
  const streams = [is('input') && 'stdin', is('output') && 'stdout', is('error') && !tty && 'stderr'].filter(
    (one) => one !== false,
  );
  return { command: query.getAll('command'), tty, streams };
}

function overWebSocket(request: IncomingMessage, peer: WebSocketPeer, run: (command: RemoteCommand) => void): void {
  const { command, tty, streams } = askedBy(request);
  const inputs = { stdin: new PassThrough(), resize: new PassThrough() };
  const output = (name: 'stdout' | 'stderr' | 'error'): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) =>
        peer.send(Buffer.concat([Buffer.from([CHANNELS.indexOf(name)]), chunk]), () => done()),
    });
  const error = output('error');
  peer.send(Buffer.from([CHANNELS.indexOf('stdout')])); // signals to the client that the connection is established
  run({
    command,
    tty,
    hasStdin: streams.includes('stdin'),
    stdin: inputs.stdin,
    stdout: output('stdout'),
    stderr: output('stderr'),
    onSize: (act) => onSizes(inputs.resize, act),
    end: (status) => void error.end(JSON.stringify(status), () => peer.close()),
  });
  const take = (message: Buffer): void => {
    const [channel = 0, closed = 0] = message;
    const name = CHANNELS[channel === CLOSE ? closed : channel];
    if (name !== 'stdin' && name !== 'resize') return;
    if (channel === CLOSE) inputs[name].end();
    else inputs[name].write(message.subarray(1));
  };
  void (async () => {
    for await (const message of peer.messages()) take(message);
  })()
    .catch(() => {})
    .finally(() => {
      inputs.stdin.end();
      inputs.resize.end();
    });
}

function overSpdy(request: IncomingMessage, socket: Duplex, run: (command: RemoteCommand) => void): void {
  const { command, tty, streams } = askedBy(request);
  const expected = [...streams, 'error', ...(tty ? ['resize'] : [])];
  const open = new Map<string, Duplex>();
  const nothing = (): PassThrough => new PassThrough().end().resume();
  const close = serveSpdy(socket, (stream) => {
    open.set(stream.headers.get('streamtype') ?? '', stream);
    if (!expected.every((name) => open.has(name))) return;
    const [stdout, stderr] = [
      open.get('stdout') ?? new PassThrough().resume(),
      open.get('stderr') ?? new PassThrough().resume(),
    ];
    run({
      command,
      tty,
      hasStdin: open.has('stdin'),
      stdin: open.get('stdin') ?? nothing(),
      stdout,
      stderr,
      onSize: (act) => onSizes(open.get('resize') ?? nothing(), act),
      end(status) {
        stdout.end();
        stderr.end();
        open.get('error')?.end(JSON.stringify(status), close);
      },
    });
  });
}

/** Switches to SPDY/3.1 with Kubernetes's protocol. */
export function acceptSpdy(socket: Duplex, protocol: string): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
}

/** One JSON object per size. A message may contain several, and a size may span messages. */
function onSizes(stream: Readable, act: (size: TerminalSize) => void): void {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    const parts = (text + chunk.toString()).split('}');
    text = parts.pop() ?? '';
    for (const part of parts) act(JSON.parse(`${part}}`) as TerminalSize);
  });
}
