import { expect, test } from 'vitest';
import { networkConfFromBytes } from '#lib/node/cni/conf.ts';
import { usesPodCIDR, withPodCIDRs } from './use-pod-cidr.ts';

const CIDRS = ['10.244.1.0/24', 'fd00:1::/64'];
const listOf = (ipam: object, more: object = {}) =>
  networkConfFromBytes(
    Buffer.from(
      JSON.stringify({
        cniVersion: '0.3.1',
        name: 'net',
        ...more,
        plugins: [{ type: 'ptp', ipam }, { type: 'portmap' }],
      }),
    ),
  );
const ipamOf = (bytes: Uint8Array) => networkConfFromBytes(bytes).plugins[0]?.config['ipam'];

test.each<[title: string, given: object, expected: object]>([
  ['a subnet', { subnet: 'usePodCidr', dataDir: '/x' }, { subnet: '10.244.1.0/24', dataDir: '/x' }],
  [
    'a set of ranges, one per family',
    { ranges: [[{ subnet: 'usePodCidr' }], [{ subnet: '10.9.0.0/24' }]] },
    { ranges: [[{ subnet: '10.244.1.0/24' }], [{ subnet: 'fd00:1::/64' }], [{ subnet: '10.9.0.0/24' }]] },
  ],
])('replaces usePodCidr with the node’s ranges in %s', (_, given, expected) => {
  const list = listOf({ type: 'host-local', ...given });
  expect(usesPodCIDR(list)).toBe(true);
  expect(ipamOf(withPodCIDRs(list, CIDRS))).toEqual({ type: 'host-local', ...expected });
});

test.each<[ipam: object]>([
  [{ type: 'host-local', ranges: [[{ subnet: '10.9.0.0/24' }]] }],
  [{ type: 'calico-ipam', subnet: 'usePodCidr' }],
  [{}],
])('does not change a network with %j', (ipam) => expect(usesPodCIDR(listOf(ipam))).toBe(false));

test('keeps other fields of the list', () => {
  const list = listOf({ type: 'host-local', subnet: 'usePodCidr' }, { disableCheck: true, own: { a: 1 } });
  expect(JSON.parse(Buffer.from(withPodCIDRs(list, CIDRS)).toString())).toMatchObject({
    name: 'net',
    disableCheck: true,
    own: { a: 1 },
  });
});
