import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPod } from './builders.ts';
import type { TestHost } from './test-host.ts';
import { TestNode } from './test-node.ts';

let node: TestNode;
let second: TestHost;
let third: TestHost;

beforeAll(async () => {
  node = await TestNode.start('--sync-frequency=5s');
  [second, third] = await Promise.all([node.addHost(), node.addHost()]);
  const SERVE = 'mkdir /www; hostname > /www/index.html; exec httpd -f -p 80 -h /www';
  await node.apply(...['n1', 'n2', 'n3'].map((nodeName) => aPod(`on-${nodeName}`, SERVE, { nodeName })));
  await node.output('wait', '--for=condition=Ready', 'pod', '--all', '--timeout=90s');
});
afterAll(() => node[Symbol.asyncDispose]());

const addressOf = (pod: string): Promise<string> => node.output('get', 'pod', pod, '-o', 'jsonpath={.status.podIP}');

test('three hosts are nodes of one server, each with its own address and runtime', async () => {
  const path = 'jsonpath={range .items[*]}{.metadata.name} {.status.addresses[0].address}{"\\n"}{end}';
  expect(await node.output('get', 'nodes', '-o', path)).toBe('n1 10.100.0.1\nn2 10.100.0.2\nn3 10.100.0.3\n');
  for (const host of [node.first, second, third])
    expect(host.runtime.ctr('containers', 'ls', '-q').trim().split('\n')).toHaveLength(2);
});

test('kubectl exec reaches a pod on each host', async () => {
  for (const name of ['n1', 'n2', 'n3'])
    expect(await node.output('exec', `on-${name}`, '--', 'hostname')).toBe(`on-${name}\n`);
});

test('pods reach pods on every host', async () => {
  for (const from of ['n1', 'n2', 'n3'])
    for (const to of ['n1', 'n2', 'n3'])
      expect(await node.output('exec', `on-${from}`, '--', 'wget', '-qO-', await addressOf(`on-${to}`))).toBe(
        `on-${to}\n`,
      );
});
