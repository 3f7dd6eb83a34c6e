import type { Duplex } from 'node:stream';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import type { Dialer } from '#lib/server/channel/dialer.ts';
import type { PodOnNode } from '#lib/server/webhook/service-resolver.ts';
import { TransportError } from '#lib/server/webhook/transport.ts';
import { duplexOf } from './stream.ts';

interface PodAddress {
  readonly host: string;
  readonly port: number;
  readonly via: PodOnNode;
}

/**
 * Connects to pods via the channels of their nodes, for the API server's own calls to webhooks and extenders. Grants contain `user`.
 * Rejects with TransportError in Go's words. Connections fail in the same way as TCP connections.
 */
export const podConnections =
  (dialer: Dialer, user: string) =>
  async ({ host, port, via: { node, podUid } }: PodAddress, signal: AbortSignal): Promise<Duplex> => {
    const purpose = { verb: 'proxy', podUID: podUid, container: '', user } as const;
    try {
      const stream = await dialer.dial({ host, port, globalOnly: true, via: { node, purpose } }, signal);
      return duplexOf(asTcp(stream), { allowHalfOpen: false }); // a reused connection that the pod ended is useless
    } catch (error) {
      throw new TransportError(dialText(messageOfError(error), joinHostPort(host, port)), { cause: error });
    }
  };

/** The reason why no stream could be opened, in Go's words. The agent already reports its own errors in this form. */
function dialText(why: string, authority: string): string {
  if (why.startsWith('dial tcp ')) return why;
  return `dial tcp ${authority}: ${why === 'no answer' ? 'i/o timeout' : why}`;
}

/** Wraps the stream so that it fails with ECONNRESET. */
const asTcp = (stream: ByteStream): ByteStream => ({
  incoming: received(stream.incoming),
  write: (bytes) => stream.write(bytes).catch(reset),
  end: () => stream.end(),
  get delivered() {
    return stream.delivered;
  },
  destroy: () => stream.destroy(),
});

const received = (incoming: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]() {
    const chunks = incoming[Symbol.asyncIterator]();
    return { next: () => chunks.next().catch(reset) };
  },
});

function reset(cause: unknown): never {
  throw Object.assign(new Error('the connection broke', { cause }), { code: 'ECONNRESET' });
}
