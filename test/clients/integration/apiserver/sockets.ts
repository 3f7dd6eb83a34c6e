import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type FrontDoor, type Sent, type Stream, wire } from './front-door.ts';

/** The local server over HTTP/2 and TLS. */
export const http2 = (): Promise<FrontDoor> =>
  behind((server) => {
    const session = connect(server.url, { ca: server.certificateAuthority });
    session.on('error', () => {});
    const open = async (sent: Sent): Promise<Stream> => {
      const { method, path, headers, bytes } = wire(sent, server.adminToken);
      const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: false });
      stream.end(bytes);
      const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
      return {
        status: answered[':status'] ?? 0,
        headers: joined(answered),
        chunks: stream,
        leave: () => stream.close(),
      };
    };
    return { open, end: () => session.destroy() };
  });

/** The local server over HTTP/1.1 and TLS. */
export const http1 = (): Promise<FrontDoor> =>
  behind((server) => {
    const agent = new Agent({ ca: server.certificateAuthority, keepAlive: true });
    const open = async (sent: Sent): Promise<Stream> => {
      const { method, path, headers, bytes } = wire(sent, server.adminToken);
      const outgoing = request({ host: '127.0.0.1', port: server.port, path, method, headers, agent });
      outgoing.end(bytes);
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const chunks = incoming as AsyncIterable<Uint8Array>;
      return {
        status: incoming.statusCode ?? 0,
        headers: joined(incoming.headers),
        chunks,
        leave: () => outgoing.destroy(),
      };
    };
    return { open, end: () => agent.destroy() };
  });

interface Wire {
  open(sent: Sent): Promise<Stream>;
  end(): void;
}

async function behind(connected: (server: RunningApiserver) => Wire): Promise<FrontDoor> {
  const faults: unknown[] = [];
  const server = await startApiserver({ controllers: false, reportFault: (_, error) => void faults.push(error) });
  const { open, end } = connected(server);
  return {
    faults,
    limitsBodies: true,
    stream: open,
    async send(sent) {
      const { status, headers, chunks } = await open(sent);
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      return { status, headers, bytes: Buffer.concat(parts) };
    },
    async close() {
      end();
      await server.close();
    },
  };
}

function joined(headers: IncomingHttpHeaders | IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}
