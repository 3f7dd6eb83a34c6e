import { expect, test } from 'vitest';
import { type LocalSettings, localDetector } from './local-detector.ts';

const settings = (more: Partial<LocalSettings>): LocalSettings => ({
  mode: 'ClusterCIDR',
  clusterCIDRs: ['10.244.0.0/16', 'fd01::/48'],
  interfaceName: '',
  ...more,
});

test.each<[Partial<LocalSettings>, 'IPv4' | 'IPv6', string | undefined]>([
  [{}, 'IPv4', 'ip saddr 10.244.0.0/16'],
  [{}, 'IPv6', 'ip6 saddr fd01::/48'],
  [{ clusterCIDRs: ['fd01::/48'] }, 'IPv4', undefined],
  [{ mode: 'NodeCIDR' }, 'IPv4', 'ip saddr 10.244.3.0/24'],
  [{ mode: 'NodeCIDR' }, 'IPv6', undefined],
  [{ mode: 'BridgeInterface', interfaceName: 'cbr0' }, 'IPv6', 'iifname "cbr0"'],
  [{ mode: 'InterfaceNamePrefix', interfaceName: 'veth' }, 'IPv4', 'iifname "veth*"'],
  [{ mode: 'BridgeInterface', interfaceName: 'a" ; drop' }, 'IPv4', undefined],
])('uses the settings %j for %s to match %s', (more, family, expected) => {
  expect(localDetector(settings(more), ['10.244.3.0/24'], family)?.isLocal).toBe(expected);
});

test('treats packets that do not match as non-local', () => {
  expect(localDetector(settings({}), [], 'IPv4')?.isNotLocal).toBe('ip saddr != 10.244.0.0/16');
});
