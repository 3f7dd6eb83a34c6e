import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';
import { aContainer } from '#test/support/backends/container.ts';
import { ChannelAgent } from '#test/support/channel-agent.ts';
import { eventually } from '#test/support/eventually.ts';
import type { ChanneledCluster } from './cluster.ts';
import { openDoor } from './door.ts';
import { ChanneledNode } from './node.ts';

/**
 * Starts a container behind a front door that supports WebSockets but no other upgrade. It has one node, which is reached via the agent's
 * connection.
 */
export async function startContainerCluster(pods: Readonly<Record<string, JsonObject>>): Promise<ChanneledCluster> {
  const container = await aContainer({ env: {} });
  const token = container.adminToken;
  const door = await openDoor({ port: Number(new URL(container.url).port), token, passesWebSockets: true });
  const node = await ChanneledNode.start();
  const agent = await ChannelAgent.start({
    server: { url: door.url, certificateAuthority: door.certificate },
    authority: await newAuthority(new Date()),
    node: 'n1',
    accept: node.accept,
    signed: () => ({ authorization: `Bearer ${token}` }),
  });
  await eventually(() => agent.states.some(({ connected }) => connected));
  const connection = new ApiConnection({
    url: door.url,
    caBundle: door.certificate,
    credentials: { token: async () => token },
  });
  const client = apiClient({ handle: (request) => connection.handle(request), userAgent: 'test' });
  await node.run(client, pods);
  return {
    kubeconfig: door.kubeconfig,
    node,
    client,
    handle: (request) => connection.handle(request),
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
      await agent[Symbol.asyncDispose]();
      await node[Symbol.asyncDispose]();
      await door[Symbol.asyncDispose]();
      await container.close();
    },
  };
}
