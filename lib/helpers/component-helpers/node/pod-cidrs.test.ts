import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { NodeSpec } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import { podCIDRsOf, podPrefixesOf } from './pod-cidrs.ts';

test.each<[string, NodeSpec, string[], string[]]>([
  [
    'both families',
    { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24', 'fd00::/64'] },
    ['10.0.1.0/24', 'fd00::/64'],
    ['10.0.1.0/24', 'fd00::/64'],
  ],
  ['podCIDR alone', { podCIDR: '10.0.1.0/24' }, ['10.0.1.0/24'], ['10.0.1.0/24']],
  ['none', {}, [], []],
  ['empty fields', { podCIDR: '', podCIDRs: [] }, [], []],
  ['a text that is no network', { podCIDRs: ['x', '10.0.1.9/24'] }, ['x', '10.0.1.9/24'], ['10.0.1.0/24']],
])('returns the pod networks of a node with %s', (_name, spec, texts, networks) => {
  const node = { ...decodedAs(NODES, { metadata: { name: 'a' } }), spec };
  expect(podCIDRsOf(node)).toEqual(texts);
  expect(podPrefixesOf(node).map(networkText)).toEqual(networks);
});
