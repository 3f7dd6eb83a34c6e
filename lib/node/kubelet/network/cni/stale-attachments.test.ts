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
  [false, 'that the runtime may be creating', { written: NOW - 500 }],
  [true, 'that it would have finished long ago', { written: NOW - IN_FLIGHT - 1 }],
  [false, 'of a sandbox that the runtime knows', { containerId: 'known' }],
  [false, 'of another network', { network: 'podman' }],
  [false, 'of a runtime without CRI', { args: [] }],
  [false, 'whose arguments name another sandbox', { args: [['K8S_POD_INFRA_CONTAINER_ID', 'other']] }],
])('returns %s for an attachment %s', (expected, _, changes) => {
  expect(isStale(attachment(changes), KNOWN, NOW)).toBe(expected);
});

test('keeps an attachment for a while if the start time of the runtime is unknown', () => {
  expect(isStale(attachment(), { ...KNOWN, runtimeSince: 0 }, NOW)).toBe(false);
});

const lease = (changes: object = {}) => ({ network: 'net', containerId: ID, ifName: 'eth0', written: 1, ...changes });
test.each([
  [true, 'that is not cached', lease(), []],
  [false, 'that is cached', lease(), [ID]],
  [false, 'of a sandbox that the runtime knows', lease({ containerId: 'known' }), []],
  [false, 'with an id that is not a sandbox’s', lease({ containerId: 'podman' }), []],
  [false, 'that may still be in creation', lease({ written: NOW }), []],
])('returns %s for a lease %s', (expected, _, given, cached) => {
  expect(isStaleLease(given, new Set(cached), KNOWN, NOW)).toBe(expected);
});

test.each([
  [{ ipam: { type: 'host-local' } }, '/var/lib/cni/networks/net'],
  [{ ipam: { type: 'host-local', dataDir: '/x' } }, '/x/net'],
  [{ ipam: { type: 'dhcp' } }, undefined],
  [{}, undefined],
])('finds the leases of %j in %s', (config, expected) => expect(leaseFolder(config, 'net')).toBe(expected));
