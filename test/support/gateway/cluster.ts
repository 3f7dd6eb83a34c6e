import { gatewayPosts } from '#adapters/aws/apigateway/posts.ts';
import { TableConnections } from '#adapters/aws/dynamodb/connections.ts';
import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { systemClock as clock } from '#adapters/clock.ts';
import { type Config, configOf } from '#functions/apiserver/config.ts';
import { listen } from '#functions/apiserver/listening.ts';
import { openPlatform } from '#functions/apiserver/platform.ts';
import type { Apiserver } from '#functions/apiserver/wiring.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { SYSTEM_MASTERS } from '#lib/server/authentication/user.ts';
import { runAgentChannel } from '#lib/server/channel/agent-channel.ts';
import { Relay } from '#lib/server/channel/gateway/relay.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { MemoryTable } from '#test/support/dynamodb-local/memory-table.ts';
import { eventually } from '#test/support/eventually.ts';
import { onLoopback } from '#test/support/loopback.ts';
import { agentGateway } from '../../../node-agent/gateway.ts';
import { openDoor } from './door.ts';
import { ChanneledNode } from './node.ts';
import { WebSocketApi } from './web-socket-api.ts';

const ADMIN = 'admin-token';
const NODE = 'node-token';

/** A cluster with one node, `n1`, which can only be reached via its agent's channel. */
export interface ChanneledCluster extends AsyncDisposable {
  readonly kubeconfig: string;
  readonly node: ChanneledNode;
  /** A client with the administrator's permissions. */
  readonly client: Client;
  /** Handles requests as the administrator. */
  readonly handle: Apiserver['handle'];
}

/** The same for a cluster of functions, which share a table and a WebSocket API. */
export interface GatewayCluster extends ChanneledCluster {
  /** The configuration of the API server. */
  readonly config: Config;
  /** The URL of the WebSocket API. */
  readonly channelUrl: string;
}

/**
 * Starts functions behind a front door without upgrades, and a WebSocket API. Runs these pods in the namespace `default`; they are specs by
 * name.
 */
export async function startGatewayCluster(
  pods: Readonly<Record<string, JsonObject>>,
  table: Table = new MemoryTable(),
): Promise<GatewayCluster> {
  const api = new WebSocketApi();
  const listening = await onLoopback(api.server);
  const channelUrl = `ws://127.0.0.1:${listening.port}/nodes`;
  const config = configOf({
    DAVIT_FRONT_DOOR: 'function-url',
    DAVIT_TABLE: 'davit',
    DAVIT_CLUSTER_ID: 'test',
    DAVIT_ADMIN: 'arn:aws:iam::123456789012:role/Admin',
    DAVIT_CHANNEL_URL: channelUrl,
    AWS_ACCESS_KEY_ID: 'AKID',
    AWS_SECRET_ACCESS_KEY: 'secret',
  });
  if (config.gateway === undefined) throw new Error('no gateway');
  const connections = new TableConnections(table, { clock, cluster: DEFAULT_CLUSTER });
  const posts = gatewayPosts({ ...config.gateway, now: () => clock.now() });
  api.use(new Relay({ clock, connections, posts, random: Math.random }));
  const tokens = new Map([
    [ADMIN, { name: 'admin', groups: [SYSTEM_MASTERS] }],
    [NODE, { name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] }],
  ]);
  const opened = Promise.withResolvers<Apiserver>();
  const inner = await listen({ ...config, host: '127.0.0.1', port: 0 }, async (read, address) => {
    const { server } = await openPlatform(read, address, tokens, { table });
    opened.resolve(server);
    return server;
  });
  const server = await opened.promise;
  const door = await openDoor({ port: inner.port, token: ADMIN, passesWebSockets: false });
  const handle: Apiserver['handle'] = (...args) => server.handle(...args);
  const as = (token: string) => ({ handle, token, userAgent: 'test' });
  const client = apiClient(as(ADMIN));
  const ending = new AbortController();
  const node = await ChanneledNode.start();
  let isConnected = false;
  const hello = { session: 'process 1', instance: { key: 'k', machineId: 'm', bootId: 'b' } };
  const running = runAgentChannel(
    {
      clock,
      node: 'n1',
      hello,
      random: Math.random,
      gateway: agentGateway(as(NODE), 'n1', hello),
      connect: () => Promise.reject(new Error('the server takes no connections')),
      accept: node.accept,
      ring: () => undefined,
      report: ({ connected }) => void (isConnected = connected),
    },
    ending.signal,
  );
  await eventually(() => isConnected);
  await node.run(client, pods);
  return {
    kubeconfig: door.kubeconfig,
    node,
    client,
    handle: (request) => handle({ ...request, headers: { ...request.headers, authorization: `Bearer ${ADMIN}` } }),
    config,
    channelUrl,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
      api.close();
      await node[Symbol.asyncDispose]();
      await door[Symbol.asyncDispose]();
      await inner.close();
      await listening.close();
    },
  };
}
