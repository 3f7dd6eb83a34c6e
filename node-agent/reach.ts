import { duplexOf } from '#adapters/kubelet/stream.ts';
import { TcpDialer } from '#adapters/kubelet/tcp-dialer.ts';
import type { NodeServer } from '#adapters/node-server/node-server.ts';
import { isForbidden } from '#adapters/webhook/address-policy.ts';
import type { AgentChannelPorts } from '#lib/channel/agent-channel.ts';
import { joinStreams } from '#lib/channel/join.ts';
import { endOf } from '#lib/kubelet/server/permit.ts';
import type { ServedPods } from '#lib/kubelet/server/ports.ts';

const pods = new TcpDialer({ isForbidden, isProxyable: () => true });

/** Takes streams to the node's own server, and to addresses of its pods. */
export const reach =
  (server: NodeServer, served: ServedPods): AgentChannelPorts['accept'] =>
  async (grant, stream) => {
    const end = endOf(grant, served);
    if (end === 'server') return server.accept(duplexOf(stream), grant);
    const gone = new AbortController();
    const connection = await pods.dial({ ...end, globalOnly: false }, gone.signal);
    void joinStreams(stream, connection);
  };
