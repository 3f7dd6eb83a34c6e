import { expect, test } from 'vitest';
import type { NetworkAttachment } from '#lib/node/cni/cache.ts';
import { IN_FLIGHT, isStale, isStaleLease, type KnownSandboxes, leaseFolder } from './stale-attachments.ts';

const NOW = 10_000_000;
const ID = 'a'.repeat(64);
const KNOWN: KnownSandboxes = { ids: new Set(['known']), runtimeSince: NOW - 1000, networks: new Set(['net']) };
const attachment = (changes: Partial<NetworkAttachment> = {}): NetworkAttachment => ({
  containerId: ID,
  network: 'net',
  ifName: 'eth0',
  netns: '/run/netns/x',
  args: [['K8S_POD_INFRA_CONTAINER_ID', changes.containerId ?? ID]],
  config: Buffer.from(''),
  result: {},
  written: NOW - 2000,
  ...changes,
});

test.each<[stale: boolean, title: string, changes: Partial<NetworkAttachment>]>([
  [true, 'made before the runtime started', {}],
  [false, 'that the runtime may be making', { written: NOW - 500 }],
  [true, 'that it would have made long ago', { written: NOW - IN_FLIGHT - 1 }],
  [false, 'of a sandbox that the runtime knows', { containerId: 'known' }],
  [false, 'of another network', { network: 'podman' }],
  [false, 'of a runtime that is no CRI’s', { args: [] }],
  [false, 'whose arguments name another sandbox', { args: [['K8S_POD_INFRA_CONTAINER_ID', 'other']] }],
])('%s: an attachment %s', (expected, _, changes) => {
  expect(isStale(attachment(changes), KNOWN, NOW)).toBe(expected);
});

test('an attachment is kept for a while where nobody tells when the runtime started', () => {
  expect(isStale(attachment(), { ...KNOWN, runtimeSince: 0 }, NOW)).toBe(false);
});

const lease = (changes: object = {}) => ({ network: 'net', containerId: ID, ifName: 'eth0', written: 1, ...changes });
test.each([
  [true, 'that is in no cache', lease(), []],
  [false, 'that the cache tells more of', lease(), [ID]],
  [false, 'of a sandbox that the runtime knows', lease({ containerId: 'known' }), []],
  [false, 'whose id is no sandbox’s', lease({ containerId: 'podman' }), []],
  [false, 'that may be in the making', lease({ written: NOW }), []],
])('%s: a lease %s', (expected, _, given, cached) => {
  expect(isStaleLease(given, new Set(cached), KNOWN, NOW)).toBe(expected);
});

test.each([
  [{ ipam: { type: 'host-local' } }, '/var/lib/cni/networks/net'],
  [{ ipam: { type: 'host-local', dataDir: '/x' } }, '/x/net'],
  [{ ipam: { type: 'dhcp' } }, undefined],
  [{}, undefined],
])('the leases of %j are in %s', (config, expected) => expect(leaseFolder(config, 'net')).toBe(expected));
