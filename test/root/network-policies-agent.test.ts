import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { pidOf } from './services/backends.ts';
import { TestNode } from './test-node.ts';

const SERVE = `mkdir /www; httpd -p 8080 -h /www; httpd -p 8081 -h /www; ${FOREVER}`;
/** Prints whether a port accepts connections. */
const CONNECT = `const [host, port] = process.argv.slice(1);
const socket = require('node:net').connect({ host, port: Number(port), timeout: 400 });
const end = (text) => { console.log(text); process.exit(); };
socket.on('connect', () => end('open')).on('timeout', () => end('blocked')).on('error', (error) => end(error.code));`;
/** Connects to addresses continuously, and prints each one that accepts. */
const SCAN = `const net = require('node:net');
for (const host of process.argv.slice(1)) (function again() {
  const socket = net.connect({ host, port: 8080, timeout: 50 });
  socket.on('connect', () => console.log(host));
  socket.on('timeout', () => socket.destroy()).on('error', () => undefined).on('close', () => setTimeout(again, 20));
  socket.on('connect', () => socket.destroy());
})();`;
let node: TestNode;
let client = 0;
let web = '';

beforeAll(async () => {
  node = await TestNode.startWith({ network: true, agent: ['--network-policies'] });
  await node.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other', labels: { team: 'b' } } });
  const ports = [{ name: 'http', containerPort: 8080 }];
  await node.apply(
    aPod('web', SERVE, { containers: [shell(SERVE, { ports })] }),
    aPod('client'),
    inOther(aPod('client')),
  );
  web = await addressOf('web');
  client = await pidIn('default', 'client');
});
afterAll(() => node[Symbol.asyncDispose]());

const inOther = (pod: object): object => ({ ...pod, metadata: { name: 'client', namespace: 'other' } });

async function field(namespace: string, pod: string, path: string): Promise<string> {
  let last = '';
  await eventually(async () => {
    await node.output('wait', '-n', namespace, `pod/${pod}`, '--for=condition=Ready', '--timeout=20s');
    last = await node.output('get', 'pod', '-n', namespace, pod, '-o', `jsonpath={${path}}`);
    return last !== '';
  });
  return last;
}

const addressOf = (pod: string): Promise<string> => field('default', pod, '.status.podIP');
const pidIn = async (namespace: string, pod: string): Promise<number> =>
  pidOf((await field(namespace, pod, '.status.containerStatuses[0].containerID')).replace('containerd://', ''));

/** The result of a connection from a process's network namespace. */
const connection = (pid: number, host = web, port = 8080): string =>
  spawnSync('nsenter', ['-t', `${pid}`, '-n', process.execPath, '-e', CONNECT, host, `${port}`], {
    encoding: 'utf8',
  }).stdout.trim();

const becomes = (state: string, pid = client, host = web, port = 8080): Promise<void> =>
  eventually(
    () => connection(pid, host, port) === state,
    () => `${host}:${port} is ${state}: ${connection(pid, host, port)}\n${node.log.slice(-2000)}`,
  );

const policy = (name: string, spec: object): object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec: { podSelector: { matchLabels: { app: 'web' } }, ...spec },
});
const allow = (...ingress: object[]): Promise<void> => node.apply(policy('allow', { ingress }));

test('policies allow by labels of pods, of namespaces and by named ports, and open when they are deleted', async () => {
  expect(connection(client)).toBe('open');
  await node.apply(policy('deny', { policyTypes: ['Ingress'] }));
  await becomes('blocked');
  await allow({ from: [{ podSelector: { matchLabels: { role: 'friend' } } }], ports: [{ port: 'http' }] });
  await node.output('label', 'pod', 'client', 'role=friend');
  await becomes('open');
  expect(connection(client, web, 8081)).toBe('blocked');
  await node.output('label', 'pod', 'client', 'role-');
  await becomes('blocked');
  const other = await pidIn('other', 'client');
  expect(connection(other)).toBe('blocked');
  await allow({ from: [{ namespaceSelector: { matchLabels: { team: 'b' } } }] });
  await becomes('open', other);
  expect(connection(client)).toBe('blocked');
  await node.output('delete', 'networkpolicy', 'allow', 'deny');
  await becomes('open');
});

test('egress excludes the addresses in except of an ipBlock', async () => {
  const egress = (except: string[]): Promise<void> =>
    node.apply(
      policy('out', {
        podSelector: { matchLabels: { app: 'client' } },
        policyTypes: ['Egress'],
        egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except } }] }],
      }),
    );
  await egress([`${web}/32`]);
  await becomes('blocked');
  await egress(['192.0.2.0/24']);
  await becomes('open');
  await node.output('delete', 'networkpolicy', 'out');
});

test('rules persist while the agent is dead, and are restored if removed', async () => {
  await node.apply(policy('deny', {}));
  await becomes('blocked');
  node.killAgent();
  expect(connection(client)).toBe('blocked');
  node.first.run('nft', 'delete', 'table', 'inet', 'davit-network-policy');
  expect(connection(client)).toBe('open');
  await node.restartAgent();
  await becomes('blocked');
  node.first.run('nft', 'delete', 'table', 'inet', 'davit-network-policy');
  await becomes('blocked');
  await node.output('delete', 'networkpolicy', 'deny');
});

test('a new pod that a policy isolates is never reachable', async () => {
  await node.apply(policy('deny-new', { podSelector: { matchLabels: { app: 'isolated' } } }));
  const next = Number(web.split('.')[3]) + 1;
  const prefix = web.replace(/\d+$/, '');
  const candidates = Array.from({ length: 12 }, (_, i) => `${prefix}${next + i}`);
  const scan = spawn('nsenter', ['-t', `${client}`, '-n', process.execPath, '-e', SCAN, ...candidates]);
  const answered = new Set<string>();
  scan.stdout.on('data', (data: Buffer) =>
    data
      .toString()
      .trim()
      .split('\n')
      .forEach((host) => answered.add(host)),
  );
  await node.apply(aPod('isolated', SERVE), aPod('open', SERVE));
  const [isolated, open] = [await addressOf('isolated'), await addressOf('open')];
  expect(candidates).toContain(isolated);
  await eventually(() => answered.has(open));
  scan.kill();
  expect([...answered]).not.toContain(isolated);
});
