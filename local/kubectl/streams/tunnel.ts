import { randomBytes } from 'node:crypto';
import { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { TUNNEL_PROTOCOL } from '#lib/node/kubelet/server/streams.ts';
import { comes } from '#lib/server/channel/comes.ts';
import { acceptOf } from '#lib/server/endpoints/web-socket/handshake.ts';
import { MessageSocket } from '#lib/server/endpoints/web-socket/message-socket.ts';
import { exchange, type Way } from './exchange.ts';

/** The largest message in bytes. Peers forward each read, about 32 KiB, as one message. */
const MAX_MESSAGE = 1024 * 1024;

/** Opens SPDY inside a WebSocket, as kubectl tunnels port-forward; undefined if the server rejects it. */
export async function tunnelOver(api: Way, path: string): Promise<Duplex | undefined> {
  const key = randomBytes(16).toString('base64');
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    'sec-websocket-protocol': TUNNEL_PROTOCOL,
  };
  const answer = await exchange(api, { method: 'GET', path, headers });
  if (answer instanceof IncomingMessage) return void answer.resume();
  const { connection } = answer;
  if (answer.headers['sec-websocket-accept'] !== acceptOf(key)) return void connection.destroy();
  return unwrapped(connection);
}

/** The bytes in the messages, which are read only as fast as they are consumed. */
function unwrapped(connection: Duplex): Duplex {
  let isFull = false;
  const outer = new Duplex({
    read() {
      isFull = false;
      outer.emit('room');
    },
    write: (chunk: Buffer, _encoding, done) => void web.send(chunk).then(() => done(), done),
    final(done) {
      web.close('');
      done();
    },
    destroy(error, done) {
      connection.destroy();
      done(error);
    },
  });
  const message = (payload: Uint8Array): void => void (isFull = !outer.push(payload));
  const web = new MessageSocket({ isClient: true, limit: MAX_MESSAGE, message });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of connection) {
      yield chunk as Uint8Array;
      if (isFull) await comes('room', outer);
    }
  }
  void web.receive(chunks()).then(async () => {
    const reason = await web.closed;
    if (reason === '') outer.push(null);
    else outer.destroy(new Error(reason)); // the agent lost its connection to the container runtime
  });
  void (async () => {
    for await (const bytes of web.outgoing)
      if (!connection.destroyed && !connection.write(bytes)) await comes('drain', connection);
    connection.end();
  })();
  return outer;
}
