import { expect, test } from 'vitest';
import type { NodeSpec } from '#lib/api/types/core.v1.ts';
import { effectivePodCIDRs } from './pod-cidrs.ts';
import { aNode } from './testing.ts';

test.each<[title: string, spec: NodeSpec, configured: string, expected: object]>([
  [
    'the ranges of the Node',
    { podCIDRs: ['10.244.1.0/24', 'fd00::/64'] },
    '',
    { cidrs: ['10.244.1.0/24', 'fd00::/64'] },
  ],
  ['one range of the Node', { podCIDR: '10.244.1.0/24' }, '', { cidrs: ['10.244.1.0/24'] }],
  ['--pod-cidr if the Node has no range', {}, '10.1.2.3/24', { cidrs: ['10.1.2.0/24'] }],
  ["the Node's range if --pod-cidr is equal", { podCIDR: '10.1.2.0/24' }, '10.1.2.0/24', { cidrs: ['10.1.2.0/24'] }],
  [
    'no range until the Node has one',
    {},
    '',
    { fault: expect.stringContaining('the server gives it one with --allocate-node-cidrs') },
  ],
  [
    'no range if they differ',
    { podCIDR: '10.244.1.0/24' },
    '10.1.0.0/24',
    { fault: '--pod-cidr 10.1.0.0/24 differs from spec.podCIDRs 10.244.1.0/24' },
  ],
  ['no range for an invalid text', {}, '10.1.0.0', { fault: 'invalid CIDR address: 10.1.0.0' }],
])('uses for pods %s', (_, spec, configured, expected) => {
  expect(effectivePodCIDRs(aNode('n1', { spec }), configured)).toEqual(expected);
});
