import { expect, test } from 'vitest';
import { conntrackSettings, isOther } from './sysctls.ts';

test.each([
  [1, 131_072],
  [8, 262_144],
  [128, 1_048_576],
])('sets the limit for %i cores to at least %i flows', (cores, flows) => {
  const [max] = conntrackSettings(cores, false);
  expect(max).toEqual({ name: 'net/netfilter/nf_conntrack_max', value: flows, isMinimum: true });
  expect(max && [isOther(max, flows - 1), isOther(max, flows), isOther(max, flows + 1)]).toEqual([true, false, false]);
});

test('treats packets outside the window as valid only if configured', () => {
  const liberal = { name: 'net/netfilter/nf_conntrack_tcp_be_liberal', value: 1, isMinimum: false };
  expect(conntrackSettings(1, true)).toContainEqual(liberal);
  expect(conntrackSettings(1, false)).not.toContainEqual(liberal);
  expect([isOther(liberal, 0), isOther(liberal, 1)]).toEqual([true, false]);
});
