import { expect, test } from 'vitest';
import type { NetworkPolicySpec } from '#lib/api/types/networking.v1.ts';
import { bridgeFilterMissing, warningsOf } from './events.ts';

const messages = (spec: NetworkPolicySpec): string[] =>
  warningsOf({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'p', namespace: 'x' },
    spec,
  }).map(({ reason, message }) => `${reason} ${message}`);

test('warns about the field of each invalid part of a policy', () => {
  const block = { ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} };
  expect(messages({ podSelector: {}, ingress: [{ from: [{}, block] }], egress: [] })).toEqual([
    'InvalidRule spec.ingress[0].from[0] allows nothing: it must specify a peer',
    'InvalidRule spec.ingress[0].from[1] allows nothing: it may not specify both ipBlock and another peer',
  ]);
});

test('does not warn about a valid policy', () => {
  expect(messages({ podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }], egress: [] })).toEqual([]);
});

test('names the setting that policies on a bridge need', () => {
  expect(bridgeFilterMissing('net.bridge.bridge-nf-call-iptables')).toEqual({
    reason: 'BridgeFilterMissing',
    message:
      'Network policies do not apply between pods of one bridge: net.bridge.bridge-nf-call-iptables cannot be set to 1. Load the module br_netfilter.',
  });
});
