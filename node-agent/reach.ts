import type { NodeServer } from '#adapters/node/node-server/node-server.ts';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import { TcpDialer } from '#adapters/server/kubelet/tcp-dialer.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { endOf } from '#lib/node/kubelet/server/permit.ts';
import type { ServedPods } from '#lib/node/kubelet/server/ports.ts';
import { isForbidden } from '#lib/server/channel/address-policy.ts';
import type { AgentChannelPorts } from '#lib/server/channel/agent-channel.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import { joinStreams } from '#lib/server/channel/join.ts';

/** Time-out in ms for a pod to accept a connection. The server does not wait longer. */
const TIMEOUT = 5000;

const pods = new TcpDialer({ isForbidden, isProxyable: () => true });

/** Connects streams to the node's own server and to addresses of its pods. `port` is the port that the node serves, if any. */
export const reach =
  (server: NodeServer, served: ServedPods, port?: number): AgentChannelPorts['accept'] =>
  async (grant, stream) => {
    const end = endOf(grant, served, port);
    if (end === 'server') return server.accept(duplexOf(stream), grant);
    void joinStreams(stream, await dialled(end));
  };

/** A connection to a pod. The dial's signal also closes an open connection, so it must not abort later. */
async function dialled(end: { readonly host: string; readonly port: number }): Promise<ByteStream> {
  const late = new AbortController();
  const why = new Error(`dial tcp ${joinHostPort(end.host, end.port)}: i/o timeout`);
  const timer = setTimeout(() => late.abort(why), TIMEOUT);
  try {
    return await pods.dial({ ...end, globalOnly: false }, late.signal);
  } finally {
    clearTimeout(timer);
  }
}
