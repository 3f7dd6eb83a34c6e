import { describe, expect, test } from 'vitest';
import type { Node } from '#lib/api/types/core.v1.ts';
import { nodeStatusHasChanged } from '#lib/helpers/component-helpers/node/status-has-changed.ts';
import { changedDefaultLabels, initialNode } from '../initial-node.ts';
import { someFacts } from '../testing/facts.ts';
import { type NodeFacts, setNodeStatus } from './set-node-status.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const PLAIN = { labels: {}, taints: [], providerID: '' };
const LATER = new Date('2026-01-01T00:01:00Z');
const aNode = (facts: Partial<NodeFacts> = {}): Node => initialNode(someFacts(facts), PLAIN, NOW);
const after = (facts: Partial<NodeFacts>, node = aNode()): Node => {
  const next = structuredClone(node);
  setNodeStatus(next, someFacts(facts), LATER);
  return next;
};
const told = (node: Node): string[] =>
  (node.status.conditions ?? []).map((one) => `${one.type}=${one.status} ${one.reason}: ${one.message}`);
const since = (node: Node): unknown[] => (node.status.conditions ?? []).map((one) => one.lastTransitionTime);

describe('conditions of a node', () => {
  test('sets the conditions of a healthy node', () => {
    expect(told(aNode())).toEqual([
      'MemoryPressure=False KubeletHasSufficientMemory: kubelet has sufficient memory available',
      'DiskPressure=False KubeletHasNoDiskPressure: kubelet has no disk pressure',
      'PIDPressure=False KubeletHasSufficientPID: kubelet has sufficient PID available',
      'Ready=True KubeletReady: kubelet is posting ready status',
    ]);
  });

  test('sets the conditions of a node under pressure', () => {
    expect(told(aNode({ pressures: { memory: true, disk: true, pid: true } })).slice(0, 3)).toEqual([
      'MemoryPressure=True KubeletHasInsufficientMemory: kubelet has insufficient memory available',
      'DiskPressure=True KubeletHasDiskPressure: kubelet has disk pressure',
      'PIDPressure=True KubeletHasInsufficientPID: kubelet has insufficient PID available',
    ]);
  });

  test.each([
    [['container runtime is down'], 'container runtime is down'],
    [['container runtime is down', 'network state unknown'], '[container runtime is down, network state unknown]'],
    [['a', 'a'], 'a'],
  ])('sets the conditions of a node with errors %j', (errors, message) => {
    expect(told(aNode({ errors })).at(-1)).toBe(`Ready=False KubeletNotReady: ${message}`);
  });

  test('keeps the transition time of a condition while its status is unchanged', () => {
    expect(since(after({}))).toEqual(Array.from({ length: 4 }, () => '2026-01-01T00:00:00Z'));
    const pressed = after({ pressures: { memory: false, disk: true, pid: false }, errors: ['x'] });
    expect(since(pressed).map((time) => time === '2026-01-01T00:01:00Z')).toEqual([false, true, false, true]);
  });

  test('keeps conditions of other writers in their place', () => {
    const node = aNode();
    node.status.conditions?.unshift({
      type: 'NetworkUnavailable',
      status: 'False',
      lastHeartbeatTime: null,
      lastTransitionTime: null,
    });
    expect(after({ errors: ['x'] }, node).status.conditions?.map(({ type }) => type)).toEqual([
      'NetworkUnavailable',
      'MemoryPressure',
      'DiskPressure',
      'PIDPressure',
      'Ready',
    ]);
  });
});

describe('changes of a status', () => {
  const reversed = (node: Node): Node => {
    node.status.conditions?.reverse();
    return node;
  };

  test.each<readonly [string, Node, boolean]>([
    ['not in heartbeats', after({}), false],
    ['not in the order of conditions', reversed(after({})), false],
    ['in a condition', after({ errors: ['x'] }), true],
    ['in an address', after({ address: { ...someFacts().address, nodeIPs: ['2001:db8::7'] } }), true],
    ['in a version', after({ versions: { ...someFacts().versions, kernelVersion: '6.2.0' } }), true],
  ])('detects a status change: %s', (_, node, expected) => {
    expect(nodeStatusHasChanged(aNode().status, node.status)).toBe(expected);
  });
});

test('sets labels and versions from the machine on a new node', () => {
  const { metadata, spec, status } = initialNode(
    someFacts(),
    {
      labels: { 'example.com/rack': 'r1', 'kubernetes.io/hostname': 'h' },
      taints: [{ key: 'new', effect: 'NoSchedule' }],
      providerID: 'rack://r1/7',
    },
    NOW,
  );
  expect(spec).toEqual({ providerID: 'rack://r1/7', taints: [{ key: 'new', effect: 'NoSchedule' }] });
  expect(metadata.labels).toEqual({
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'example.com/rack': 'r1',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': 'h',
    'kubernetes.io/os': 'linux',
  });
  expect(status.nodeInfo).toEqual({
    machineID: 'machine',
    systemUUID: 'system',
    bootID: 'boot',
    kernelVersion: '6.1.0',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    containerRuntimeVersion: '',
    kubeletVersion: 'v1.36.2',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  });
});

test('restores the default labels of a registered node and keeps others', () => {
  const existing = aNode();
  existing.metadata.labels = {
    'kubernetes.io/os': 'windows',
    'example.com/rack': 'r1',
    'kubernetes.io/hostname': 'n1',
  };
  expect(changedDefaultLabels(aNode(), existing)).toEqual({
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
  });
});

test('does not compile with a misspelt field of a node', () => {
  const node = aNode();
  // @ts-expect-error misspelt field
  expect(node.status.alocatable).toBe(undefined);
});
