import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, test } from 'vitest';
import { duplexOf } from '#adapters/server/kubelet/stream.ts';
import type { ByteStream } from '#lib/server/channel/byte-stream.ts';
import type { Grant } from '#lib/server/channel/grant.ts';
import { newAuthority } from '#local/certs.ts';
import { PODS, textOf } from '#test/support/backends/bench.ts';
import { aContainer } from '#test/support/backends/container.ts';
import { ChannelAgent } from '#test/support/channel-agent.ts';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';

test('an agent connects to a container through a TLS proxy, and its node and pods are reached via that connection only', async () => {
  const container = await aContainer({ env: {} });
  const authority = await newAuthority(new Date());
  const { certificate: cert, key } = await authority.issue({ name: 'edge' }, ['127.0.0.1']);
  const edge = createTlsServer({ cert, key }, (socket) => {
    const inner = connect(Number(new URL(container.url).port), '127.0.0.1');
    socket.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => socket.destroy()).pipe(socket);
  });
  await once(edge.listen(0, '127.0.0.1'), 'listening');
  const ask = requester(container);
  const named = (name: string) => ({ metadata: { name } });
  const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
  await ask('POST', '/api/v1/namespaces/default/serviceaccounts', named('default'));
  await ask('POST', '/api/v1/nodes', named('n1'));
  await ask('POST', PODS, { ...named('p'), spec });
  await ask('PATCH', `${PODS}/p/status`, { status: { podIPs: [{ ip: '10.1.2.3' }] } });
  const read = async (path: string): Promise<string> => textOf(await ask('GET', path));
  const [node, pod] = ['/api/v1/nodes/n1/proxy/healthz', `${PODS}/p/proxy/`];
  expect(await read(node)).toBe('503 no connection to node "n1": this server has no route to nodes');
  {
    const http = createServer((asked, response) => void response.end(asked.url));
    await using agent = await ChannelAgent.start({
      server: { url: `https://127.0.0.1:${portOf(edge)}`, certificateAuthority: authority.certificate },
      authority,
      node: 'n1',
      accept: (_: Grant, stream: ByteStream) => void http.emit('connection', duplexOf(stream)),
      signed: () => ({ authorization: `Bearer ${container.adminToken}` }),
    });
    await eventually(() => expect(agent.states).toEqual([{ connected: true, features: [] }]));
    expect(await read(node)).toBe('200 /healthz');
    expect(await read(pod)).toBe('200 /');
    expect(agent.grants.map(({ host, verb }) => `${host} ${verb}`)).toEqual(['n1 proxy', '10.1.2.3 proxy']);
  }
  edge.close();
  await container.close();
  expect(container.faults).toEqual([]);
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
