import { expect, test } from 'vitest';
import { decodedAs } from '#lib/api/testing.ts';
import type { Node } from '#lib/api/types/core.v1.ts';
import { NODES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { node } from './node.ts';

const NOW = new Date('2024-01-03T00:00:00Z');

const aNode = (rest: JsonObject, labels: JsonObject = {}): Node =>
  decodedAs(NODES, { metadata: { name: 'n', creationTimestamp: '2024-01-01T00:00:00Z', labels }, ...rest });
const ready = (status: string): JsonObject => ({
  conditions: [
    { type: 'DiskPressure', status: 'False' },
    { type: 'Ready', status },
  ],
});

test.each<[JsonObject, string]>([
  [{}, 'Unknown'],
  [{ status: ready('True') }, 'Ready'],
  [{ status: ready('False') }, 'NotReady'],
  [{ status: ready('Unknown') }, 'NotReady'],
  [{ spec: { unschedulable: true }, status: ready('True') }, 'Ready,SchedulingDisabled'],
  [{ spec: { unschedulable: true } }, 'Unknown,SchedulingDisabled'],
])('shows the status of %j as %s', (rest, status) => expect(node.cells(aNode(rest), NOW)[1]).toBe(status));

test.each<[JsonObject, string]>([
  [{}, '<none>'],
  [{ 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' }, 'control-plane,worker'],
  [{ 'kubernetes.io/role': 'agent', 'node-role.kubernetes.io/agent': 'x' }, 'agent'],
  [{ 'node-role.kubernetes.io/': '', 'kubernetes.io/role': '' }, '<none>'],
])('shows the roles of labels %j as %s', (labels, roles) => expect(node.cells(aNode({}, labels), NOW)[2]).toBe(roles));

test('shows addresses and versions', () => {
  const addresses = [
    { type: 'Hostname', address: 'h' },
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalIP', address: 'fd00::1' },
    { type: 'ExternalIP', address: '192.0.2.1' },
  ];
  const nodeInfo = {
    kubeletVersion: 'v1.36.2',
    osImage: 'Linux',
    kernelVersion: '6.1',
    architecture: 'arm64',
    containerRuntimeVersion: 'containerd://2',
  };
  const cells = node.cells(aNode({ status: { addresses, nodeInfo } }), NOW).slice(3);
  expect(cells).toEqual(['2d', 'v1.36.2', '10.0.0.1', '192.0.2.1', 'Linux', '6.1 (arm64)', 'containerd://2']);
});
