import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nft } from '#adapters/node/nftables/nft.ts';
import { eventually } from '#test/support/eventually.ts';
import { askMany, Backends, makeOutside } from './services/backends.ts';
import { anEndpoint, aService, aSlice } from './services/manifests.ts';
import { TestNode } from './test-node.ts';

const [ONE, TWO] = ['10.100.0.11', '10.100.0.12'];
const TABLE = { family: 'ip', name: 'davit-service-proxy' } as const;
let node: TestNode;
let backends: Backends;

beforeAll(async () => {
  makeOutside();
  backends = await Backends.at(ONE, TWO);
  const network = ['--proxy-mode=nftables', '--cluster-cidr=10.244.0.0/16'];
  node = await TestNode.startWith({
    network: true,
    agent: network,
  });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await backends[Symbol.asyncDispose]();
});

/** The ClusterIP of a Service. */
const addressOf = (name: string): Promise<string> =>
  node.output('get', 'service', name, '-o', 'jsonpath={.spec.clusterIP}');

/** Resolves when many requests are served by all of these backends, and by no other. */
const answers = (host: string, port: number, ...expected: readonly string[]): Promise<void> => {
  let last: readonly string[] = [];
  return eventually(
    async () => (last = await askMany(host, port)).join() === expected.join(),
    () => `${host}:${port} is answered by ${expected.join()}: ${last.join()}\n${node.log.slice(-3000)}`,
  );
};

/** A Service with these endpoints. Returns its ClusterIP. */
async function serving(name: string, endpoints: readonly object[]): Promise<string> {
  await node.apply(aService(name), aSlice(name, endpoints));
  return addressOf(name);
}

test('a connection survives a restart of the agent and an outage of the server', async () => {
  const address = await serving('lasting', [anEndpoint(ONE)]);
  await answers(address, 80, ONE);
  const connection = connect(80, address);
  await once(connection, 'connect');
  const talk = (): Promise<void> => answered(connection);
  await talk();
  node.killAgent();
  await talk();
  await node.restartAgent();
  await eventually(() => expect(node.log).toContain('Services are forwarded'));
  await talk();
  await node.server[Symbol.asyncDispose]();
  await node.restartAgent();
  expect(await askMany(address)).toEqual([ONE]);
  await talk();
  await node.restartServer();
  await node.apply(aSlice('lasting', [anEndpoint(TWO)]));
  await answers(address, 80, TWO);
  await talk();
  connection.destroy();
});

test('rules are correct after the agent was killed at any moment of a change', async () => {
  const address = await serving('killed', [anEndpoint(ONE)]);
  await answers(address, 80, ONE);
  for (const [index, delay] of [0, 20, 60, 120, 250].entries()) {
    const wanted = index % 2 === 0 ? TWO : ONE;
    await node.apply(aSlice('killed', [anEndpoint(wanted)]));
    const killed = performance.now() + delay;
    await eventually(() => performance.now() >= killed);
    await node.restartAgent();
    await answers(address, 80, wanted);
  }
});

test('a removed table is restored, and a second proxy is reported', async () => {
  await nft.apply('add table ip kube-proxy\n');
  await node.restartAgent();
  await eventually(() =>
    expect(node.log).toContain('Another proxy has rules for Services too: the table ip kube-proxy'),
  );
  await eventually(async () => expect(await node.output('get', 'events')).toContain('OtherServiceProxy'));
  await nft.apply('delete table ip kube-proxy\ndelete table ip davit-service-proxy\n');
  await eventually(async () => expect(await nft.list(TABLE)).toBeDefined());
});

/** Resolves when the server at the other end of the connection has responded to a request. */
async function answered(connection: Socket): Promise<void> {
  const data = once(connection, 'data');
  connection.write(`GET / HTTP/1.1\r\nHost: any\r\n\r\n`);
  const [bytes] = await data;
  expect(String(bytes)).toContain('200 OK');
}
