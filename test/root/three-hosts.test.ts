import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from './builders.ts';
import { BUSYBOX } from './images.ts';
import { leftovers, leftoversSoon } from './leftovers.ts';
import type { TestHost } from './test-host.ts';
import { TestNode } from './test-node.ts';
import { SharedStorage } from './three-hosts/storage.ts';

const APP = join(import.meta.dirname, '../../examples/three-hosts/app.yaml');
const SERVER = ['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/16', '--node-monitor-grace-period=25s'];
const folder = mkdtempSync(join(tmpdir(), 'davit-three-hosts-'));
/** The settings of a host with the flags of `davit node add --network`, and its own network configuration folder. */
const host = (name: string) => {
  const networks = join(folder, name);
  mkdirSync(networks);
  return { networks, network: 'printed' as const, agent: [`--cni-conf-dir=${networks}`] };
};
let node: TestNode;
let hosts: readonly TestHost[];
let storage: SharedStorage;
/** The name of the host that is killed. */
let home = '';

beforeAll(async () => {
  node = await TestNode.startWith({ server: SERVER, ...host('n1') });
  hosts = [node.first, ...(await Promise.all([node.addHost(host('n2')), node.addHost(host('n3'))]))];
  for (const { runtime } of hosts) runtime.ctr('images', 'tag', BUSYBOX.name, 'docker.io/library/busybox:1');
  storage = new SharedStorage(node);
  await storage.start(hosts);
});
afterAll(async () => {
  await storage[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const list = (kind: string, path: string, ...args: string[]): Promise<string> =>
  node.output('get', kind, ...args, '-o', `jsonpath={range .items[*]}{${path}} {end}`);
const nodesOf = async (app: string): Promise<readonly string[]> =>
  (await list('pods', '.spec.nodeName', '-l', `app=${app}`)).trim().split(' ').toSorted();
const page = async (pod: string, service: string): Promise<string> =>
  (await node.kubectl('exec', pod, '--', 'timeout', '3', 'wget', '-qO-', `http://${service}/`)).stdout;
const log = (): string => hosts.map((one) => one.log.slice(-2500)).join('\n');
/** A script that prints traces of pods on a host: sandboxes, volumes, addresses, interfaces, mounts. */
const TRACES = `ls -d /run/netns/* /var/lib/kubelet/pods/* /var/lib/cni/networks/kubenet/10.244.* 2>/dev/null
ip -o link | grep veth
grep -E 'kubernetes.io.csi|kubelet/pods/' /proc/self/mountinfo
true`;
const traces = (one: TestHost): string => one.run('sh', '-c', TRACES);

test('the app runs on two hosts, and its policy holds across them', async () => {
  await node.output('cordon', 'n1');
  await node.output('apply', '-f', APP);
  await node.apply(aPod('stranger', undefined, { nodeName: 'n1' }));
  await eventually(async () => (await node.kubectl('get', 'pod', 'store-0', '-o', 'name')).code === 0, log);
  await node.output('wait', '--for=condition=Ready', 'pod/stranger', 'pod/store-0', '--timeout=90s');
  await eventually(
    async () => (await node.output('get', 'deployment', 'web', '-o', 'jsonpath={.status.readyReplicas}')) === '2',
    log,
  );
  [home = ''] = await nodesOf('store');
  await eventually(async () => (await page('stranger', 'web')) === `started on ${home}\n`, log);
  expect(await page('stranger', 'store')).toBe('');
});

test('pods and the volume of a killed host move to another host and leave no traces', async () => {
  const others = hosts.filter(({ name }) => name !== home);
  const range = await node.output('get', 'node', home, '-o', 'jsonpath={.spec.podCIDR}');
  await node.output('uncordon', 'n1');
  await node.powerOff(home);
  const running = '--field-selector=status.phase=Running';
  await eventually(async () => {
    const up = await node.output('get', 'pods', '-l', 'app=web', running, '-o', 'jsonpath={.items[*].spec.nodeName}');
    return others.every(({ name }) => up.includes(name));
  }, log);
  expect(await nodesOf('store'), 'a volume stays until its host is known to be off').toEqual([home]);

  await node.output('taint', 'node', home, 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute');
  await eventually(async () => {
    const [at = ''] = await nodesOf('store');
    return at !== '' && at !== home;
  }, log);
  await node.output('wait', '--for=condition=Ready', 'pod/store-0', '--timeout=90s');
  const [next = ''] = await nodesOf('store');
  await eventually(async () => (await page('stranger', 'web')) === `started on ${home}\nstarted on ${next}\n`, log);
  expect(await page('stranger', 'store')).toBe('');
  expect(storage.attached).toEqual([`shared ${home}`, `shared ${next}`]);

  await node.output('delete', 'node', home);
  for (const kind of ['leases.coordination.k8s.io', 'csinodes', 'nodes'])
    await eventually(async () => !(await list(kind, '.metadata.name', '-A')).split(' ').includes(home), log);
  expect(await list('volumeattachments', '.spec.nodeName')).toBe(`${next} `);
  await eventually(async () => !(await list('pods', '.spec.nodeName', '-A')).split(' ').includes(home), log);
  const prefix = range.replace(/0\/24$/, '');
  const dropped = (text: string): boolean => !text.includes(prefix);
  for (const one of others) {
    await eventually(() => dropped(one.run('ip', 'route')), log);
    await eventually(
      () => dropped(one.run('nft', 'list', 'ruleset')),
      () => one.run('nft', 'list', 'ruleset'),
    );
  }
  await eventually(() => !node.first.run('ip', '-o', 'link').includes(`host${home.slice(1)}@`));
});

test('the app leaves no files on the remaining hosts', async () => {
  await node.output('delete', '-f', APP, '--timeout=60s');
  await node.output('delete', 'pod', 'stranger', '--timeout=60s');
  await eventually(async () => (await list('volumeattachments', '.metadata.name')) === '', log);
  for (const one of hosts.filter(({ name }) => name !== home))
    await eventually(
      () => traces(one) === '',
      () => `${one.name}: ${traces(one)}`,
    );
  await eventually(
    () => leftoversSoon(leftovers()).length === 0,
    () => leftoversSoon(leftovers()).join('\n'),
  );
});
