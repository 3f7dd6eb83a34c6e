import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock as clock } from '#adapters/clock.ts';
import { hostConfFolder } from '#adapters/node/cni/conf-folder.ts';
import { isRegularFile } from '#adapters/node/cni/files.ts';
import { ResultCache } from '#adapters/node/cni/result-cache.ts';
import { runProgram } from '#adapters/node/host/programs/run-program.ts';
import { cachedAttachments } from '#lib/node/cni/cache.ts';
import { networkConfFromBytes } from '#lib/node/cni/conf.ts';
import { firstNetwork } from '#lib/node/cni/folder.ts';
import { CNIConfig } from '#lib/node/cni/network-list.ts';
import type { RuntimeConf } from '#lib/node/cni/types.ts';

let folder: string;
let cni: CNIConfig;
let cache: ResultCache;
const namespaces = new Set<string>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-cni-'));
  mkdirSync(join(folder, 'bin'));
  cache = new ResultCache(join(folder, 'cache'));
  const invocation = { path: [join(folder, 'bin'), '/usr/lib/cni'], run: runProgram, isFile: isRegularFile, clock };
  cni = new CNIConfig({ ...invocation, timeout: 20_000 }, cache);
});
afterEach(() => {
  for (const name of namespaces) removeNamespace(name);
  rmSync(folder, { recursive: true });
});

const run = (command: string, ...args: readonly string[]): string => execFileSync(command, args, { encoding: 'utf8' });

/** Creates the network namespace of a container. */
function attachmentOf(containerId: string, capabilityArgs: RuntimeConf['capabilityArgs'] = {}): RuntimeConf {
  run('ip', 'netns', 'add', containerId);
  namespaces.add(containerId);
  return { containerId, netns: `/run/netns/${containerId}`, ifName: 'eth0', capabilityArgs };
}

function removeNamespace(name: string): void {
  run('ip', 'netns', 'del', name);
  namespaces.delete(name);
}

const listOf = (...plugins: readonly object[]) =>
  networkConfFromBytes(Buffer.from(JSON.stringify({ cniVersion: '1.0.0', name: 'net', plugins })));
const ipam = () => ({ type: 'host-local', ranges: [[{ subnet: '10.99.0.0/24' }]], dataDir: join(folder, 'ipam') });
const bridge = () => ({ type: 'bridge', bridge: 'cnit0', isGateway: true, ipam: ipam() });
const PORTMAP = { type: 'portmap', capabilities: { portMappings: true } };
const BANDWIDTH = { type: 'bandwidth', capabilities: { bandwidth: true } };
const TUNING = { type: 'tuning', sysctl: { 'net.ipv4.conf.all.log_martians': '1' } };
const PORT = { portMappings: [{ hostPort: 8099, containerPort: 80, protocol: 'tcp' }] };
const RATE = {
  bandwidth: { ingressRate: 1_000_000, ingressBurst: 2_000_000, egressRate: 500_000, egressBurst: 1_000_000 },
};
const addresses = (): string[] => readdirSync(join(folder, 'ipam/net')).filter((name) => name.startsWith('10.'));
const rules = (): string => run('iptables-save', '-t', 'nat');

test('ADD, CHECK and DEL chain bridge, bandwidth and tuning', async () => {
  const list = listOf(bridge(), BANDWIDTH, TUNING);
  const rt = attachmentOf('one', RATE);
  expect(await cni.validateNetworkList(list)).toEqual(['bandwidth']);
  expect(await cni.addNetworkList(list, rt)).toMatchObject({ cniVersion: '1.0.0', ips: [{ address: '10.99.0.2/24' }] });
  expect(run('ip', '-n', 'one', 'addr', 'show', 'eth0')).toContain('10.99.0.2/24');
  expect(run('tc', 'qdisc')).toContain('rate 1Mbit burst 250000b');
  expect(run('tc', 'qdisc')).toContain('rate 500Kbit');
  await cni.checkNetworkList(list, rt);
  run('ip', '-n', 'one', 'addr', 'flush', 'dev', 'eth0');
  await expect(cni.checkNetworkList(list, rt)).rejects.toThrow(/eth0/);
  await cni.delNetworkList(list, rt);
  expect([addresses(), await cache.names()]).toEqual([[], []]);
});

test('a second ADD fails without changes; a second DEL has no effect', async () => {
  const list = listOf(bridge(), PORTMAP);
  const rt = attachmentOf('one', PORT);
  await cni.addNetworkList(list, rt);
  await expect(cni.addNetworkList(list, rt)).rejects.toThrow('plugin type="bridge" failed (add): ');
  expect(run('ip', '-n', 'one', 'addr', 'show', 'eth0')).toContain('10.99.0.2/24');
  expect(rules()).toContain('--dport 8099');
  await cni.delNetworkList(list, rt);
  await cni.delNetworkList(list, rt);
  expect([addresses(), rules().includes('8099')]).toEqual([[], false]);
});

test('ptp and loopback are attached and detached', async () => {
  const list = listOf({ type: 'ptp', ipam: ipam() });
  const lo = { ...listOf({ type: 'loopback' }), name: 'cni-loopback' };
  const rt = attachmentOf('one');
  await cni.addNetworkList(lo, { ...rt, ifName: 'lo' });
  expect(await cni.addNetworkList(list, rt)).toMatchObject({ ips: [{ address: '10.99.0.2/24' }] });
  expect((await cachedAttachments(cache)).map(({ network, ifName }) => [network, ifName])).toEqual([
    ['cni-loopback', 'lo'],
    ['net', 'eth0'],
  ]);
  await cni.checkNetworkList(list, rt);
  await cni.delNetworkList(list, rt);
  await cni.delNetworkList(lo, { ...rt, ifName: 'lo' });
  expect(addresses()).toEqual([]);
});

test('GC detaches leftovers of containers whose namespace is gone, including their host ports', async () => {
  const list = listOf(bridge(), PORTMAP);
  await cni.addNetworkList(list, attachmentOf('gone', PORT));
  await cni.addNetworkList(list, attachmentOf('here'));
  removeNamespace('gone');
  expect(rules()).toContain('--dport 8099');
  expect(await cni.gcNetworkList(list, [{ containerID: 'here', ifname: 'eth0' }])).toEqual([]);
  expect([addresses(), rules().includes('8099'), await cache.names()]).toEqual([
    ['10.99.0.3'],
    false,
    ['net-here-eth0'],
  ]);
});

test('STATUS returns the rejection of plugins that do not support the command', async () => {
  const list = { ...listOf(bridge()), cniVersion: '1.1.0' };
  await expect(cni.getStatusNetworkList(list)).rejects.toThrow('missing containerID');
});

test.each<[why: string, script: string, message: string]>([
  ['hangs', 'sleep 1000 & sleep 1000', 'netplugin failed: context deadline exceeded'],
  ['prints 1 GB', 'head -c 1000000000 /dev/zero', 'netplugin failed: its output is longer than 1048576 bytes'],
  ['prints 100 MB of errors', 'head -c 100000000 /dev/zero >&2; echo {}', 'undefined'],
  ['lies about its result', `echo '{"cniVersion":"1.0.0","ips":[{"address":"x"}]}'`, 'invalid CIDR address: x'],
  ['is killed', 'kill -9 $$', 'netplugin failed with no error message: signal: SIGKILL'],
  ['says why', `echo '{"code":11,"msg":"later"}'; exit 1`, 'later'],
])('a plugin that %s is no network', async (_, script, message) => {
  writeFileSync(join(folder, 'bin/evil'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const invocation = { path: [join(folder, 'bin')], run: runProgram, isFile: isRegularFile, clock, timeout: 10_000 };
  const end = await new CNIConfig(invocation, cache)
    .addNetworkList(listOf({ type: 'evil' }), attachmentOf('one'))
    .then(() => 'undefined', String);
  expect(end).toContain(message);
});

test('the network of a folder, read from the disk', async () => {
  const conf = join(folder, 'net.d');
  expect(await firstNetwork(conf, hostConfFolder)).toEqual({ skipped: [] });
  mkdirSync(join(conf, '00-folder.conf'), { recursive: true });
  run('mkfifo', join(conf, '05-pipe.conf'));
  writeFileSync(join(conf, '10-a.conflist'), JSON.stringify({ name: 'a', plugins: [{ type: 'bridge' }] }));
  const found = await firstNetwork(conf, hostConfFolder);
  expect([found.network?.name, found.skipped.length]).toEqual(['a', 1]);
});

test('the cache has the file modes of libcni, and no name escapes its directory', async () => {
  await cache.write('a', Buffer.from('b'));
  expect(run('stat', '-c', '%a', join(folder, 'cache/results'), join(folder, 'cache/results/a'))).toBe('700\n600\n');
  await expect(cache.write('../a', Buffer.from('b'))).rejects.toThrow('invalid name');
  expect(existsSync(join(folder, 'cache/a'))).toBe(false);
});
