import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#adapters/clock.ts';
import { isRegularFile } from '#adapters/node/cni/files.ts';
import { ResultCache } from '#adapters/node/cni/result-cache.ts';
import { runProgram } from '#adapters/node/host/programs/run-program.ts';
import { networkConfFromBytes } from '#lib/node/cni/conf.ts';
import { CNIConfig } from '#lib/node/cni/network-list.ts';
import type { RuntimeConf } from '#lib/node/cni/types.ts';
import { runProgram as runTestProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from './builders.ts';
import { pidOf } from './services/backends.ts';
import { HOST } from './setup.ts';
import type { TestHost } from './test-host.ts';
import { TestNode } from './test-node.ts';

const folders = mkdtempSync(join(tmpdir(), 'davit-networks-'));
/** Serves the pod's name at /, and the client's address at /cgi-bin/from. */
const SERVE = `mkdir -p /www/cgi-bin; hostname > /www/index.html
printf '#!/bin/sh\\necho; echo $REMOTE_ADDR\\n' > /www/cgi-bin/from; chmod +x /www/cgi-bin/from
exec httpd -f -p 80 -h /www`;
const AGENT = ['--sync-frequency=5s'];
const SERVER = ['--allocate-node-cidrs', '--cluster-cidr', '10.244.0.0/16,fd00:244::/56'];
/** The settings of a dual-stack host whose agent configures the network, with the flags and permissions of `davit node add --network`. */
const withKubenet = (number: number) => {
  const networks = join(folders, `n${number}`);
  mkdirSync(networks);
  const nodeIP = `--node-ip=10.100.0.${number},fd00:100::${number}`;
  return { networks, network: 'printed' as const, agent: [...AGENT, nodeIP, `--cni-conf-dir=${networks}`] };
};
const isAll = process.env['DAVIT_ROOT_ALL'] !== undefined;
let node: TestNode;
let second: TestHost;

beforeAll(async () => {
  node = await TestNode.startWith({ server: SERVER, ...withKubenet(1) });
  second = await node.addHost(withKubenet(2));
  await node.apply(
    aPod('a', SERVE, { nodeName: 'n1' }),
    aPod('b', SERVE, { nodeName: 'n1' }),
    aPod('c', SERVE, { nodeName: 'n2' }),
  );
  await node.output('label', 'pod/c', 'app=c');
  await node.output('expose', 'pod/c', '--name=name-of-c', '--port=80');
  await node.output('wait', '--for=condition=Ready', 'pod', '--all', '--timeout=120s');
});
afterAll(() => node[Symbol.asyncDispose]());

const field = (kind: string, name: string, path: string): Promise<string> =>
  node.output('get', kind, name, '-o', `jsonpath={${path}}`);
const podIP = (pod: string): Promise<string> => field('pod', pod, '.status.podIP');
const podCIDR = (name: string): Promise<string> => field('node', name, '.spec.podCIDR');
const podIPs = async (pod: string): Promise<string[]> => (await field('pod', pod, '.status.podIPs[*].ip')).split(' ');
const urlOf = (address: string, path: string): string => `http://${isIPv6(address) ? `[${address}]` : address}/${path}`;
/** The response from an address to a pod; '' if none arrives within a second. */
const ask = async (from: string, address: string, path = ''): Promise<string> =>
  (await node.kubectl('exec', from, '--', 'timeout', '1', 'wget', '-qO-', urlOf(address, path))).stdout.trim();
const log = () => `${node.log.slice(-3000)}\n${second.log.slice(-3000)}`;
const routesOf = (host: TestHost): string => host.run('ip', 'route', 'show', 'proto', '68').trim();
const unavailable = (name: string): Promise<string> =>
  field('node', name, '.status.conditions[?(@.type=="NetworkUnavailable")].reason');

test('a first start, with a network of pods, logs no error on the server and on both hosts', () => {
  const entries = [node.server.program.stderr, node.log, second.log].flatMap((text) => text.trimEnd().split('\n'));
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter((entry) => entry.includes('"level":"error"'))).toEqual([]);
});

test('pods have addresses of their node’s range, and reach each other on one host and across hosts', async () => {
  const ranges = [await podCIDR('n1'), await podCIDR('n2')];
  for (const [pod, range] of [
    ['a', ranges[0]],
    ['b', ranges[0]],
    ['c', ranges[1]],
  ] as const)
    expect(await podIP(pod)).toMatch(new RegExp(`^${range?.replace(/0\/24$/, '')}`));
  for (const [from, to] of ['ab', 'ba', 'ac', 'ca'].map((pair) => [...pair] as [string, string]))
    for (const address of await podIPs(to)) expect(await ask(from, address), log()).toBe(to);
  expect(await podIPs('a')).toHaveLength(2);
});

test('a node reaches Services on other nodes by their names with the flags of `davit node add --network` alone', async () => {
  for (const from of ['a', 'c'])
    await eventually(async () => (await ask(from, 'name-of-c.default.svc.cluster.local')) === 'c', log);
});

test('NetworkUnavailable reports that the network is configured, and no taint keeps pods away', async () => {
  for (const name of ['n1', 'n2']) await eventually(async () => (await unavailable(name)) === 'RouteCreated', log);
  await eventually(async () => (await field('node', 'n1', '.spec.taints')) === '', log);
});

test('the bridge has the smallest MTU of the host, and traffic outside of the cluster the node’s address', () => {
  const bridge: unknown = JSON.parse(node.first.run('ip', '-json', 'link', 'show', 'cbr0'));
  expect(bridge).toMatchObject([{ mtu: 1500 }]);
  const rules = node.first.run('nft', 'list', 'table', 'inet', 'davit_kubenet');
  expect(rules).toContain('ip daddr != 10.0.0.0/8 fib daddr type != local masquerade');
});

test('a pod is seen with its own address by pods, and with that of its node outside of the cluster', async () => {
  for (const address of await podIPs('c'))
    for (const from of ['a', 'b'])
      expect(await podIPs(from)).toContain(
        (await ask(from, address, 'cgi-bin/from')).replace(/\[(::ffff:)?(.*)\]/, '$2'),
      );
  const OUTSIDE = '192.0.2.1';
  node.first.run('ip', 'addr', 'add', `${OUTSIDE}/32`, 'dev', 'lo');
  const outside = createServer((socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${socket.remoteAddress}`));
  outside.listen(80, OUTSIDE);
  await once(outside, 'listening');
  const seen = () => ask('c', OUTSIDE);
  expect(await seen()).toBe('10.100.0.2');
  await second.restartAgent('SIGTERM', '--non-masquerade-cidr=0.0.0.0/0');
  await eventually(async () => (await seen()) === (await podIP('c')), log);
  outside.close();
});

test('policies with selectors and IP blocks apply between pods of two hosts, on either side', async () => {
  const policy = (name: string, app: string, rules: object): Promise<void> =>
    node.apply({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name },
      spec: { podSelector: { matchLabels: { app } }, ...rules },
    });
  const a = { podSelector: { matchLabels: { app: 'a' } } };
  const pids = new Map(
    await Promise.all(
      ['a', 'b'].map(async (pod) => {
        const id = await field('pod', pod, '.status.containerStatuses[0].containerID');
        return [pod, String(pidOf(id.replace('containerd://', '')))] as const;
      }),
    ),
  );
  const answer = async (from: string, address: string): Promise<string> => {
    const args = ['-t', pids.get(from) ?? '', '-n', 'timeout', '1', 'busybox', 'wget', '-qO-', urlOf(address, '')];
    return (await runTestProgram('nsenter', args)).stdout.trim();
  };
  /** Resolves when only these pods reach both addresses of c. */
  const reached = async (by: readonly string[]): Promise<void> => {
    const states = (await podIPs('c')).flatMap((address) =>
      ['a', 'b'].map((from) =>
        eventually(async () => (await answer(from, address)) === (by.includes(from) ? 'c' : ''), log),
      ),
    );
    await Promise.all(states);
  };
  await policy('in', 'c', { ingress: [{ from: [a] }] });
  await reached(['a']);
  const ofB = (await podIPs('b')).map((ip) => ({ ipBlock: { cidr: `${ip}/${isIPv6(ip) ? 128 : 32}` } }));
  await policy('in', 'c', { ingress: [{ from: ofB }] });
  await reached(['b']);
  await policy('in', 'c', { ingress: [{}] });
  await policy('out', 'b', { policyTypes: ['Egress'], egress: [{ to: [a] }] });
  await reached(['a']);
  await node.output('delete', 'networkpolicy', 'in', 'out');
  await reached(['a', 'b']);
});

test('the agent restores its routes after a kill and leaves other routes alone', async () => {
  const routes = routesOf(node.first);
  expect(node.first.run('ip', '-6', 'route', 'show', 'proto', '68')).toContain('via fd00:100::2 dev host0');
  expect(routes).toBe(`${await podCIDR('n2')} via 10.100.0.2 dev host0`);
  node.first.run('ip', 'route', 'add', '10.250.0.0/24', 'via', '10.100.0.2');
  node.killAgent();
  node.first.run('ip', 'route', 'del', await podCIDR('n2'));
  await node.restartAgent();
  await eventually(() => routesOf(node.first) === routes, log);
  expect(node.first.run('ip', 'route')).toContain('10.250.0.0/24 via 10.100.0.2');
  expect(await ask('a', await podIP('c'))).toBe('c');
  expect(await unavailable('n1')).toBe('RouteCreated');
});

if (isAll)
  test('routes match the nodes after the agent is killed while nodes are added and deleted', async () => {
    const before = routesOf(node.first);
    const ranges = Array.from({ length: 12 }, (_, i) => `10.245.${i}.0/24`);
    const ghosts = ranges.map((range, i) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `ghost-${i}` },
      spec: { podCIDR: range, podCIDRs: [range] },
      status: { addresses: [{ type: 'InternalIP', address: '10.100.0.2' }] },
    }));
    const there = (): number => ranges.filter((range) => routesOf(node.first).includes(range)).length;
    const coming = node.apply(...ghosts);
    await eventually(() => there() > 0, log);
    node.killAgent();
    await coming;
    await node.restartAgent();
    await eventually(() => there() === ranges.length, log);
    const going = node.output('delete', 'node', ...ghosts.map(({ metadata }) => metadata.name));
    await eventually(() => there() < ranges.length, log);
    node.killAgent();
    await going;
    await node.restartAgent();
    await eventually(() => routesOf(node.first) === before, log);
  });

test('a port of the host leads to its pod from other hosts, from the host and from the pod itself', async () => {
  const ports = [{ containerPort: 80, hostPort: 8081 }];
  const pod = aPod('port', SERVE, { nodeName: 'n1' }) as { spec: { containers: object[] } };
  Object.assign(pod.spec.containers[0] ?? {}, { ports });
  await node.apply(pod);
  await node.output('wait', '--for=condition=Ready', 'pod/port', '--timeout=60s');
  const address = `${HOST}:8081`;
  for (const from of ['c', 'port']) await eventually(async () => (await ask(from, address)) === 'port', log);
  expect(node.first.run('busybox', 'wget', '-qO-', `http://${address}/`).trim()).toBe('port');
});

test('annotations limit the bandwidth of a pod, and an invalid value makes it fail', async () => {
  const limited = (name: string, rate: string): object => ({
    ...aPod(name, SERVE, { nodeName: 'n1' }),
    metadata: {
      name,
      annotations: { 'kubernetes.io/ingress-bandwidth': rate, 'kubernetes.io/egress-bandwidth': '20M' },
    },
  });
  await node.apply(limited('limited', '10M'), limited('small', '10'));
  await node.output('wait', '--for=condition=Ready', 'pod/limited', '--timeout=60s');
  const disciplines = node.first.run('tc', 'qdisc');
  expect(disciplines).toContain('rate 10Mbit');
  expect(disciplines).toContain('rate 20Mbit');
  const events = async () => (await node.kubectl('get', 'events', '--field-selector=involvedObject.name=small')).stdout;
  await eventually(async () => (await events()).includes('resource is unreasonably small (< 1kbit)'), log);
  expect(await events()).toContain('FailedCreatePodSandBox');
  await node.output('delete', 'pod', 'small', '--force', '--grace-period=0');
});

test('the configuration that the agent wrote is the first, and is the same after a restart', async () => {
  const path = join(folders, 'n1/00-davit-node-agent.conflist');
  const before = readFileSync(path, 'utf8');
  await node.restartAgent('SIGTERM');
  await node.isReady();
  expect([JSON.parse(before), readFileSync(path, 'utf8')]).toMatchObject([{ name: 'kubenet' }, before]);
});

test('a port and addresses of sandboxes that containerd forgot are free again; those of another runtime stay', async () => {
  const invocation = { path: ['/usr/lib/cni'], run: runProgram, isFile: isRegularFile, clock: systemClock };
  const cni = new CNIConfig(invocation, new ResultCache());
  const list = networkConfFromBytes(readFileSync(join(folders, 'n1/00-davit-node-agent.conflist')));
  const attach = async (containerId: string, netns: string, hostPort: number, args: RuntimeConf['args']) => {
    node.first.run('ip', 'netns', 'add', netns);
    const capabilityArgs = { portMappings: [{ hostPort, containerPort: 80, protocol: 'tcp' }] };
    await cni.addNetworkList(list, {
      containerId,
      netns: `/run/netns/${netns}`,
      ifName: 'eth0',
      args: args ?? [],
      capabilityArgs,
    });
  };
  const [lost, foreign] = ['a'.repeat(64), 'b'.repeat(64)];
  const namespace = `cni-${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
  await attach(lost, namespace, 8090, [
    ['IgnoreUnknown', '1'],
    ['K8S_POD_INFRA_CONTAINER_ID', lost],
  ]);
  await attach(foreign, 'foreign', 8091, []);
  const lease = join('/var/lib/cni/networks/kubenet', (await podCIDR('n1')).replace(/0\/24$/, '250'));
  writeFileSync(lease, `${'c'.repeat(64)}\r\neth0`);
  // A single program reads the folder, because a lease may disappear between the listing and the reading of a file.
  const holds = (id: string) => spawnSync('grep', ['-rqs', id, '/var/lib/cni/networks/kubenet']).status === 0;
  expect(node.first.run('iptables-save', '-t', 'nat')).toContain('--dport 8090');
  await node.runtime.restart();
  await eventually(() => !holds(lost) && !holds('c'.repeat(64)), log);
  expect(holds(foreign)).toBe(true);
  await eventually(() => !node.first.run('ip', 'netns').includes(namespace), log);
  const rules = node.first.run('iptables-save', '-t', 'nat');
  expect([rules.includes('--dport 8090'), rules.includes('--dport 8091')]).toEqual([false, true]);
  const pod = aPod('next', SERVE, { nodeName: 'n1' }) as { spec: { containers: object[] } };
  Object.assign(pod.spec.containers[0] ?? {}, { ports: [{ containerPort: 80, hostPort: 8090 }] });
  await node.apply(pod);
  await node.output('wait', '--for=condition=Ready', 'pod/next', '--timeout=90s');
  await eventually(async () => (await ask('c', `${HOST}:8090`)) === 'next', log);
  for (const name of ['a', 'b', 'port']) expect(await ask('c', await podIP(name))).toBe(name);
});

test('deletes the route of a deleted node, and creates it again with the node', async () => {
  second.killAgent();
  await node.output('delete', 'node', 'n2');
  await eventually(() => routesOf(node.first) === '', log);
  await second.restartAgent();
  await eventually(() => routesOf(node.first).includes('via 10.100.0.2'), log);
});
