import { expect, test } from 'vitest';
import { MemoryCheckpoints } from '../checkpointmanager/testing.ts';
import { decodePodResources, encodePodResources } from './checkpoint.ts';
import { ALLOCATED_PODS_STATE, PodResourceState } from './pod-resource-state.ts';

// A Go program with upstream's types and checksum.New generated the texts and checksums.
const EMPTY = '{"data":"{}","checksum":694314937}';
const PODS = String.raw`{"data":"{\"entries\":{\"uid-1\":{\"ContainerResources\":{},\"PodLevelResources\":{\"requests\":{\"cpu\":\"500m\"}}},\"uid-2\":{\"ContainerResources\":{\"a\":{},\"b\":{\"limits\":{\"cpu\":\"2\",\"memory\":\"1Gi\"},\"requests\":{\"cpu\":\"1\",\"memory\":\"64Mi\"},\"claims\":[{\"name\":\"c\",\"request\":\"r\\u003c\"}]}},\"PodLevelResources\":null}}}","checksum":3686302737}`;
/** Only has pod-level resources. */
const WHOLE_POD = String.raw`{"data":"{\"entries\":{\"u\":{\"ContainerResources\":null,\"PodLevelResources\":{\"requests\":{\"cpu\":\"500m\"}}}}}","checksum":952826767}`;
const state = (store: MemoryCheckpoints) => PodResourceState.restore(store, ALLOCATED_PODS_STATE, '/var/lib/kubelet');

const containers = new Map([
  [
    'b',
    {
      requests: { memory: '64Mi', cpu: '1000m' },
      limits: { memory: '1024Mi', cpu: '2' },
      claims: [{ name: 'c', request: 'r<' }],
    },
  ],
  ['a', {}],
]);

test('encodes a checkpoint like Go', () => {
  expect(encodePodResources(new Map())).toBe(EMPTY);
  const pods = new Map([
    ['uid-2', { containers, pod: undefined }],
    ['uid-1', { containers: new Map(), pod: { requests: { cpu: '0.5' } } }],
  ]);
  expect(encodePodResources(pods)).toBe(PODS);
});

test('decodes a checkpoint from a kubelet', () => {
  const pods = decodePodResources(Buffer.from(PODS));
  expect([...pods.keys()]).toEqual(['uid-1', 'uid-2']);
  expect(pods.get('uid-2')?.containers.get('b')).toEqual({
    limits: { cpu: '2', memory: '1Gi' },
    requests: { cpu: '1', memory: '64Mi' },
    claims: [{ name: 'c', request: 'r<' }],
  });
  const whole = decodePodResources(Buffer.from(WHOLE_POD));
  expect(whole.get('u')).toEqual({ containers: new Map(), pod: { requests: { cpu: '500m' } } });
});

test('rejects a modified checkpoint and explains the fix', async () => {
  const store = new MemoryCheckpoints();
  store.put(ALLOCATED_PODS_STATE, PODS.replace('64Mi', '65Mi'));
  await expect(state(store)).rejects.toThrow(
    'could not restore state from checkpoint: checkpoint is corrupted, please drain this node and delete pod resource information checkpoint file "/var/lib/kubelet/allocated_pods_state" before restarting Kubelet',
  );
});

test('restores the state after a restart, except removals before the last change', async () => {
  const store = new MemoryCheckpoints();
  const before = await state(store);
  await before.setPodResources('u1', { containers, pod: undefined });
  await before.setContainerResources('u2', 'main', { requests: { cpu: '1' } });
  before.removePod('u1');
  expect((await state(store)).uids()).toEqual(['u1', 'u2']);
  await before.setPodLevelResources('u2', { limits: { cpu: '2' } });
  const after = await state(store);
  expect(after.uids()).toEqual(['u2']);
  expect(after.containerResources('u2', 'main')).toEqual({ requests: { cpu: '1' } });
  after.removeOrphans(new Set());
  expect(after.podResources('u2')).toBeUndefined();
});
