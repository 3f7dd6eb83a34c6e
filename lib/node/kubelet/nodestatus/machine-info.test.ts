import { describe, expect, test } from 'vitest';
import type { NodeStatus } from '#lib/api/types/core.v1.ts';
import type { MachineInfo } from '../cadvisor.ts';
import { initialNode } from '../initial-node.ts';
import { GI, KI, MI, someFacts } from '../testing/facts.ts';
import { type MachineFacts, setMachineInfo } from './machine-info.ts';

const FACTS = someFacts().machine;
const PLAIN = { labels: {}, taints: [], providerID: '' };

function statusOf(
  facts: Partial<MachineFacts> = {},
  machine: Partial<MachineInfo> = {},
  before?: Partial<NodeStatus>,
): NodeStatus {
  const { status } = initialNode(someFacts(), PLAIN, new Date(0));
  const bare: NodeStatus = { daemonEndpoints: status.daemonEndpoints, nodeInfo: { ...status.nodeInfo }, ...before };
  setMachineInfo(bare, { ...FACTS, ...facts, machine: { ...FACTS.machine, ...machine } });
  return bare;
}

test('subtracts the hard eviction thresholds from memory and disk', () => {
  const { capacity, allocatable } = statusOf();
  expect(capacity).toEqual({ cpu: '4', memory: '16Gi', pods: '110', 'ephemeral-storage': '100Gi' });
  expect(allocatable).toEqual({ cpu: '4', memory: '16284Mi', pods: '110', 'ephemeral-storage': '96636764k' });
});

test('computes percentages in single precision, like upstream', () => {
  // float32(0.1) is 0.10000000149011612: of 64 GiB, 100 bytes more than a tenth are reserved.
  const { allocatable } = statusOf({ storage: 62_071_248_896 });
  expect(allocatable?.['ephemeral-storage']).toBe(
    String(62_071_248_896 - Math.trunc(62_071_248_896 * 0.10000000149011612)),
  );
});

test('subtracts the resources reserved for system and kubelet', () => {
  const reserved = {
    systemReserved: new Map([
      ['cpu', '500m'],
      ['memory', '1Gi'],
    ]),
    kubeReserved: new Map([
      ['cpu', '250m'],
      ['example.com/other', '1'],
    ]),
    evictionHard: {},
  };
  expect(statusOf({ reserved }).allocatable).toEqual({
    cpu: '3250m',
    memory: '15Gi',
    pods: '110',
    'ephemeral-storage': '100Gi',
  });
});

test('never reports a negative allocatable amount', () => {
  const reserved = { ...FACTS.reserved, systemReserved: new Map([['cpu', '5']]) };
  expect(statusOf({ reserved }).allocatable?.['cpu']).toBe('0');
});

test('reports huge pages and subtracts them from the memory', () => {
  const hugePages = [
    { pageSize: 2 * KI, numPages: 512 },
    { pageSize: MI, numPages: 0 },
  ];
  const { capacity, allocatable } = statusOf({}, { hugePages });
  expect(capacity).toMatchObject({ 'hugepages-2Mi': '1Gi', 'hugepages-1Gi': '0', memory: '16Gi' });
  expect(allocatable).toMatchObject({ 'hugepages-2Mi': '1Gi', 'hugepages-1Gi': '0', memory: '15260Mi' });
});

test.each([
  ['without', 0, undefined],
  ['with', 2 * GI, { capacity: 2 * GI }],
])('reports a machine %s swap', (_, swapCapacity, swap) => {
  expect(statusOf({}, { swapCapacity }).nodeInfo.swap).toEqual(swap);
});

test('reports the ids of the machine', () => {
  expect(statusOf().nodeInfo).toMatchObject({ machineID: 'machine', systemUUID: 'system', bootID: 'boot' });
});

describe('resources of other writers', () => {
  const before = { capacity: { 'example.com/foo': '2', cpu: '1' }, allocatable: { 'example.com/gone': '1', cpu: '1' } };

  test('keeps resources of other writers in capacity and allocatable', () => {
    const { capacity, allocatable } = statusOf({}, {}, before);
    expect([capacity?.['example.com/foo'], allocatable?.['example.com/foo'], capacity?.['cpu']]).toEqual([
      '2',
      '2',
      '4',
    ]);
  });

  test('removes resources of others from allocatable together with their capacity', () => {
    expect(statusOf({}, {}, before).allocatable).not.toHaveProperty(['example.com/gone']);
  });
});

test('reports devices of plugins, healthy ones as allocatable, and none of a removed plugin', () => {
  const devices = {
    capacity: { 'example.com/gpu': 4 },
    allocatable: { 'example.com/gpu': 3 },
    removed: ['example.com/old'],
  };
  const { capacity, allocatable } = statusOf({ devices }, {}, { capacity: { 'example.com/old': '2' } });
  expect(capacity).toMatchObject({ 'example.com/gpu': '4', 'example.com/old': '0', cpu: '4' });
  expect(allocatable).toMatchObject({ 'example.com/gpu': '3', 'example.com/old': '0', cpu: '4' });
});
