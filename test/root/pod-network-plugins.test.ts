import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from './builders.ts';
import { TestNode } from './test-node.ts';

const RANGE = '10.244.7.0/24';
const FILTER = '/proc/sys/net/bridge/bridge-nf-call-iptables';
let node: TestNode;
let folder = '';

beforeAll(async () => {
  node = await TestNode.startWith({ network: true, agent: ['--sync-frequency=5s'] });
  folder = join(node.folder, 'cni');
});
afterAll(() => node[Symbol.asyncDispose]());

const log = (): string => node.log.slice(-3000);
const field = (kind: string, name: string, path: string): Promise<string> =>
  node.output('get', kind, name, '-o', `jsonpath={${path}}`);
const unavailable = (part: string): Promise<string> =>
  field('node', 'n1', `.status.conditions[?(@.type=="NetworkUnavailable")].${part}`);
/** Runs a pod and returns its address. */
async function addressOf(name: string): Promise<string> {
  await node.apply(aPod(name));
  await node.output('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=90s');
  return field('pod', name, '.status.podIP');
}

test('noop only lets rules see bridges', async () => {
  writeFileSync(FILTER, '0');
  await node.restartAgent('SIGTERM', '--network-plugin=noop', `--cni-conf-dir=${folder}`);
  await eventually(() => readFileSync(FILTER, 'utf8').trim() === '1', log);
  expect(node.first.run('ls', folder)).toBe('10-bridge.conflist\n');
  expect(await unavailable('status')).toBe('');
});

test('kubenet waits for a range, reports that, and configures the network when the range arrives', async () => {
  await node.restartAgent('SIGTERM', '--network-plugin=kubenet', '--hairpin-mode=promiscuous-bridge');
  await eventually(async () => (await unavailable('reason')) === 'NoRouteCreated', log);
  expect(await unavailable('message')).toContain('the node has no spec.podCIDR yet');
  await node.output('patch', 'node', 'n1', '-p', JSON.stringify({ spec: { podCIDR: RANGE, podCIDRs: [RANGE] } }));
  await eventually(async () => (await unavailable('reason')) === 'RouteCreated', log);
  expect(await addressOf('late')).toMatch(/^10\.244\.7\.\d+$/);
});

test('an Event of the node names the plugins that kubenet goes on without, and a missing bridge is no network', async () => {
  const plugins = join(node.folder, 'plugins');
  mkdirSync(plugins);
  for (const name of ['loopback', 'bridge', 'host-local']) copyFileSync(`/usr/lib/cni/${name}`, join(plugins, name));
  await node.restartAgent('SIGTERM', `--cni-bin-dir=${plugins}`);
  const selector = '--field-selector=reason=MissingNetworkPlugin,involvedObject.kind=Node,involvedObject.name=n1';
  const told = () => node.output('get', 'events', '-A', selector, '-o', 'jsonpath={.items[*].message}');
  const missing = (name: string, lack: string): string => `the CNI plugin ${name} is not installed: ${lack}`;
  const both = [
    missing('portmap', 'pods have no ports of the host'),
    missing('bandwidth', 'annotations do not limit the bandwidth of pods'),
  ];
  await eventually(async () => (await told()) === both.join('; '), log);
  const rendered = () => readFileSync(join(folder, '00-davit-node-agent.conflist'), 'utf8');
  await eventually(() => !rendered().includes('portmap'), log);
  expect(await unavailable('reason')).toBe('RouteCreated');
  copyFileSync('/usr/lib/cni/portmap', join(plugins, 'portmap'));
  await eventually(() => rendered().includes('portmap'), log);
  rmSync(join(plugins, 'bridge'));
  await eventually(async () => (await unavailable('status')) === 'True', log);
  expect(await unavailable('message')).toContain('failed to find plugin "bridge" in path');
  copyFileSync('/usr/lib/cni/bridge', join(plugins, 'bridge'));
  await eventually(async () => (await unavailable('status')) === 'False', log);
});

test('the bridge of kubenet is promiscuous if pods reach themselves through it', () => {
  const [bridge]: unknown[] = JSON.parse(node.first.run('ip', '-json', 'link', 'show', 'cbr0'));
  expect(bridge).toMatchObject({ flags: expect.arrayContaining(['PROMISC']) });
});

test('usePodCidr of a configuration becomes the range of the node, and the file of the administrator stays', async () => {
  const path = join(folder, '10-bridge.conflist');
  const own = { type: 'bridge', bridge: 'cni1', isGateway: true, ipam: { type: 'host-local', subnet: 'usePodCidr' } };
  const conf = JSON.stringify({ cniVersion: '1.0.0', name: 'mine', plugins: [own] });
  writeFileSync(path, conf);
  await node.restartAgent('SIGTERM', '--network-plugin=cni', '--configure-routes=false');
  const rendered = (): string => readFileSync(join(folder, '00-davit-node-agent.conflist'), 'utf8');
  await eventually(() => rendered().includes('"mine"'), log);
  expect(JSON.parse(rendered())).toMatchObject({ plugins: [{ bridge: 'cni1', ipam: { subnet: RANGE } }] });
  expect(readFileSync(path, 'utf8')).toBe(conf);
  await eventually(async () => (await node.output('get', '--raw', '/api/v1/nodes/n1/proxy/healthz')) === 'ok', log);
  await node.output('delete', 'pod', 'late', '--timeout=60s');
  expect(await addressOf('mine')).toMatch(/^10\.244\.7\.\d+$/);
  expect(node.first.run('ip', '-o', 'link', 'show', 'master', 'cni1')).toContain('veth');
});
