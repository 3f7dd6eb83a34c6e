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

test('warns of each part of a policy that means nothing, by its field', () => {
  const block = { ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} };
  expect(messages({ podSelector: {}, ingress: [{ from: [{}, block] }], egress: [] })).toEqual([
    'InvalidRule spec.ingress[0].from[0] allows nothing: it must specify a peer',
    'InvalidRule spec.ingress[0].from[1] allows nothing: it may not specify both ipBlock and another peer',
  ]);
});

test('does not warn of a policy that is right', () => {
  expect(messages({ podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }], egress: [] })).toEqual([]);
});

test('names the setting without which policies do not apply on a bridge', () => {
  expect(bridgeFilterMissing('net.bridge.bridge-nf-call-iptables')).toEqual({
    reason: 'BridgeFilterMissing',
    message:
      'Network policies do not apply between pods of one bridge: net.bridge.bridge-nf-call-iptables cannot be set to 1. Load the module br_netfilter.',
  });
});
