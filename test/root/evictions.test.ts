import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPod, FOREVER, shell } from './builders.ts';
import { TestNode } from './test-node.ts';

/** The node's disk is a tmpfs of this size. */
const DISK = '64m';
/** The bytes that pods write. */
const BYTES = 52_000_000;
let node: TestNode;

beforeAll(async () => {
  execFileSync('mount', ['-o', `remount,size=${DISK}`, '/var/lib/kubelet']);
  node = await TestNode.start(
    '--sync-frequency=1s',
    '--eviction-hard=nodefs.available<16Mi',
    '--eviction-pressure-transition-period=1s',
  );
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

const statusOf = (name: string, path: string): Promise<string> =>
  node.output('get', 'pod', name, '-o', `jsonpath={.status.${path}}`);
const phaseIs = (name: string, phase: string): Promise<string> =>
  node.output('wait', `--for=jsonpath={.status.phase}=${phase}`, `pod/${name}`, '--timeout=90s');
const nodeHas = (condition: string, status: string): Promise<string> =>
  node.output('wait', `--for=condition=${condition}=${status}`, 'node/n1', '--timeout=90s');

/** Writes a file and runs until it receives SIGTERM. This counts as a failure, because a successful pod has no reason. */
const writing = (name: string, file: string, more: object = {}): object =>
  shell(`head -c ${BYTES} /dev/zero > ${file}; trap "exit 143" TERM; while :; do sleep 1000 & wait $!; done`, {
    name,
    ...more,
  });

test('the pod that fills the disk of the node is evicted, and one of a higher priority stays', async () => {
  const volumes = [{ name: 'own', emptyDir: {} }];
  const containers = [writing('main', '/own/file', { volumeMounts: [{ name: 'own', mountPath: '/own' }] })];
  const kind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
  await node.apply({ ...kind, metadata: { name: 'high' }, value: 1000 });
  await node.apply(aPod('stays', '', { priorityClassName: 'high', containers: [shell(FOREVER)] }));
  await node.apply(aPod('fills', '', { containers, volumes }));
  await phaseIs('fills', 'Failed');
  expect(await statusOf('fills', 'reason')).toBe('Evicted');
  expect(await statusOf('fills', 'message')).toMatch(
    /^The node was low on resource: ephemeral-storage\. Threshold quantity: 16Mi, available: \d+Ki\. /,
  );
  expect(await statusOf('fills', 'conditions[?(@.type=="DisruptionTarget")].reason')).toBe('TerminationByKubelet');
  await nodeHas('DiskPressure', 'False');
  expect(await statusOf('stays', 'phase')).toBe('Running');
  await node.output('delete', 'pod', 'fills', 'stays', '--timeout=60s');
});

test('a pod whose container exceeds its storage limit is evicted', async () => {
  const resources = { limits: { 'ephemeral-storage': '1Mi' } };
  await node.apply(aPod('exceeds', '', { containers: [writing('main', '/tmp/file', { resources })] }));
  await phaseIs('exceeds', 'Failed');
  expect(await statusOf('exceeds', 'message')).toMatch(
    /^(Container main exceeded its local ephemeral storage limit "1Mi"|Pod ephemeral local storage usage exceeds the total limit of containers 1Mi)\. $/,
  );
  await node.output('delete', 'pod', 'exceeds', '--timeout=60s');
});

test('a node under memory pressure evicts a pod without a request, and accepts no other', async () => {
  await node.apply(aPod('asks-nothing', '', { containers: [writing('main', '/dev/null')] }));
  await node.output('wait', '--for=condition=Ready', 'pod/asks-nothing', '--timeout=60s');
  await node.restartAgent('SIGTERM', '--eviction-hard=memory.available<99%');
  await phaseIs('asks-nothing', 'Failed');
  expect(await statusOf('asks-nothing', 'message')).toMatch(/^The node was low on resource: memory\. /);
  await nodeHas('MemoryPressure', 'True');
  await node.apply(aPod('late', '', { nodeName: 'n1', containers: [shell(FOREVER)] }));
  await phaseIs('late', 'Failed');
  expect(await statusOf('late', 'reason')).toBe('Evicted');
  expect(await statusOf('late', 'message')).toContain('The node had condition: [MemoryPressure]. ');
  await node.output('delete', 'pod', 'asks-nothing', 'late', '--timeout=60s');
});
