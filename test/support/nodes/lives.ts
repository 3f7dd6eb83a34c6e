import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { type Asked, type Asking, at, get, patch, post, put, remove, uidOf } from './asked.ts';

const NODE = '/api/v1/nodes/n1';
const PODS = '/api/v1/namespaces/here/pods';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

const admin = (asked: Asked): Asked => ({ ...asked, admin: true });
const shown = (asked: Asked): Asked => ({ ...asked, shown: true });

const TYPES = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];
const order = (types: readonly string[]): Json[] => types.map((type) => ({ type }));
const condition = (type: string, status: string, minute: number): JsonObject => ({
  type,
  status,
  reason: `Kubelet${type}`,
  message: `kubelet says ${status}`,
  lastHeartbeatTime: `2026-01-01T00:0${minute}:00Z`,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const NODE_INFO = {
  machineID: 'm',
  systemUUID: 's',
  bootID: 'b',
  kernelVersion: '6.1.0',
  osImage: 'Debian',
  containerRuntimeVersion: 'containerd://2.1.0',
  kubeletVersion: 'v1.36.2',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
  swap: { capacity: 1_073_741_824 },
};
const RESOURCES = { cpu: '2', memory: '4Gi', pods: '110', 'ephemeral-storage': '10Gi', 'hugepages-2Mi': '0' };

const registration = (more: JsonObject = {}): JsonObject => ({
  metadata: {
    name: 'n1',
    labels: { 'kubernetes.io/hostname': 'n1', 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
    annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
  },
  spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }], ...more },
  status: {
    capacity: RESOURCES,
    allocatable: RESOURCES,
    conditions: TYPES.map((type) => condition(type, type === 'Ready' ? 'False' : 'False', 0)),
    addresses: [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'Hostname', address: 'n1' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: NODE_INFO,
    runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } }],
    features: { supplementalGroupsPolicy: true },
  },
});

const lease = (): JsonObject => ({
  metadata: { name: 'n1', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: uidOf(NODE) }] },
  spec: { holderIdentity: 'n1', leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
});

const pod = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: {
    nodeName: 'n1',
    serviceAccountName: 'robot',
    automountServiceAccountToken: false,
    containers: [{ name: 'main', image: 'i', resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } } }],
    ...more,
  },
});

const POD_TYPES = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];
const said = (type: string, status: string, more: JsonObject = {}): JsonObject => ({
  type,
  status,
  lastProbeTime: null,
  lastTransitionTime: '2026-01-01T00:00:00Z',
  ...more,
});
const running = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  state: { running: { startedAt: '2026-01-01T00:00:10Z' } },
  lastState: {},
  ready: true,
  restartCount: 0,
  image: 'i',
  imageID: 'sha256:1',
  containerID: `containerd://${name}`,
  started: true,
  ...more,
});
const ended = (name: string, exitCode: number): JsonObject => ({
  ...running(name),
  ready: false,
  started: false,
  state: {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: '2026-01-01T00:00:10Z',
      finishedAt: '2026-01-01T00:01:00Z',
      containerID: `containerd://${name}`,
    },
  },
});

/** A kubelet's patch to a pod's status. */
const report = (name: string, status: JsonObject): Asked =>
  shown(patch(`${PODS}/${name}/status`, { metadata: { uid: uidOf(`${PODS}/${name}`) }, status }));

const running1 = (name: string): Asked =>
  report(name, {
    '$setElementOrder/conditions': order(POD_TYPES),
    conditions: POD_TYPES.filter((type) => type !== 'PodScheduled').map((type) =>
      said(type, 'True', { observedGeneration: 1 }),
    ),
    containerStatuses: [running('main')],
    hostIP: '10.0.0.1',
    hostIPs: [{ ip: '10.0.0.1' }],
    observedGeneration: 1,
    phase: 'Running',
    podIP: '10.1.0.5',
    podIPs: [{ ip: '10.1.0.5' }],
    startTime: '2026-01-01T00:00:00Z',
  });

const final = (name: string): JsonObject => ({
  gracePeriodSeconds: 0,
  preconditions: { uid: uidOf(`${PODS}/${name}`) },
});

/** The life of a node and its pods: the writes of their kubelet and of an administrator, in order. */
export const LIVES: Asking = {
  'a node that registers and reports': [
    shown(post('/api/v1/nodes', { ...registration(), status: { nodeInfo: { ...NODE_INFO, swap: { capacity: 0 } } } })),
    shown(post('/api/v1/nodes', registration())),
    shown(post(LEASE, lease())),
    shown(
      patch(`${NODE}/status`, {
        status: {
          '$setElementOrder/conditions': order(TYPES),
          conditions: [...TYPES.slice(0, 3).map((type) => condition(type, 'False', 1)), condition('Ready', 'True', 1)],
        },
      }),
    ),
    shown(
      patch(`${NODE}/status`, {
        metadata: { annotations: { 'example.com/x': 'y' }, labels: { 'node.kubernetes.io/instance-type': 'small' } },
        status: {
          '$setElementOrder/conditions': order(['NetworkUnavailable', ...TYPES]),
          conditions: [
            condition('NetworkUnavailable', 'False', 2),
            { type: 'Ready', lastHeartbeatTime: '2026-01-01T00:02:00Z' },
          ],
          addresses: [
            { $patch: 'replace' },
            { type: 'InternalIP', address: '10.0.0.2' },
            { type: 'Hostname', address: 'n1' },
          ],
          allocatable: { cpu: '1900m', 'hugepages-2Mi': null },
          images: [{ names: ['i@sha256:1', 'i:1'], sizeBytes: 1000 }],
          volumesInUse: ['kubernetes.io/csi/disk.example.com^mine'],
        },
      }),
    ),
    shown(patch(`${NODE}/status`, { status: { images: [{ names: ['j:1'], sizeBytes: 1 }], volumesInUse: [] } })),
    shown(patch(`${NODE}/status`, { status: { conditions: [{ $patch: 'delete', type: 'NetworkUnavailable' }] } })),
    shown(patch(`${NODE}/status`, { spec: { unschedulable: true }, status: { phase: 'Running' } })),
    shown(put(`${LEASE}/n1`, { ...lease(), metadata: { name: 'n1', resourceVersion: '1' } })),
    shown(put(`${NODE}/status`, { metadata: { name: 'n1', uid: 'u', ...at(NODE) }, status: {} })),
    shown(patch(NODE, { metadata: { labels: { 'topology.kubernetes.io/zone': 'z' } }, status: { phase: 'Pending' } })),
    shown(get(NODE)),
  ],
  'what an administrator changes of it': [
    admin(shown(patch(NODE, { spec: { podCIDR: '10.244.0.0/24', podCIDRs: ['10.244.0.0/24'] } }))),
    admin(shown(patch(NODE, { spec: { podCIDR: '10.244.1.0/24', podCIDRs: ['10.244.1.0/24'] } }))),
    admin(shown(patch(NODE, { spec: { podCIDRs: ['10.244.0.0/24', '10.244.1.0/24'] } }))),
    admin(shown(patch(NODE, { spec: { providerID: 'metal://n1' } }))),
    admin(shown(patch(NODE, { spec: { providerID: 'metal://other' } }))),
    admin(
      shown(
        patch(NODE, {
          spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
        }),
      ),
    ),
    admin(shown(patch(NODE, { spec: { taints: [{ key: 'a', effect: 'Never' }] } }))),
  ],
  'a pod that runs': [
    admin(shown(post(PODS, pod('runs')))),
    running1('runs'),
    report('runs', {
      '$setElementOrder/conditions': order(POD_TYPES),
      conditions: [
        said('Ready', 'False', { reason: 'ContainersNotReady', message: 'containers with unready status: [main]' }),
      ],
      containerStatuses: [
        running('main', { ready: false, restartCount: 1, lastState: ended('main', 1)['state'] ?? null }),
      ],
    }),
    report('runs', { podIP: '10.1.0.6', podIPs: [{ ip: '10.1.0.6' }, { $patch: 'delete', ip: '10.1.0.5' }] }),
    report('runs', { podIPs: [{ ip: '10.1.0.7' }, { ip: '10.1.0.8' }, { ip: 'fd00::1' }] }),
    report('runs', { phase: 'Gone', qosClass: 'BestEffort' }),
    report('runs', { qosClass: 'BestEffort' }),
    report('runs', { observedGeneration: -1 }),
    report('runs', { conditions: [said('Ready', 'Perhaps', { observedGeneration: -1 })] }),
    report('runs', { nominatedNodeName: 'n2', reason: 'R', message: 'm' }),
    shown(patch(`${PODS}/runs/status`, { spec: { nodeName: 'n2' }, metadata: { annotations: { a: 'b' } } })),
  ],
  'a pod that is debugged': [
    admin(
      shown(
        patch(`${PODS}/runs/ephemeralcontainers`, {
          spec: { ephemeralContainers: [{ name: 'debugger', image: 'i', targetContainerName: 'main' }] },
        }),
      ),
    ),
    report('runs', { observedGeneration: 2, ephemeralContainerStatuses: [running('debugger')] }),
    report('runs', { ephemeralContainerStatuses: [ended('debugger', 0)] }),
    report('runs', { ephemeralContainerStatuses: [running('debugger')] }),
    report('runs', { ephemeralContainerStatuses: [running('stranger')] }),
  ],
  'a pod that is resized': [
    admin(
      shown(
        patch(`${PODS}/runs/resize`, { spec: { containers: [{ name: 'main', resources: { limits: { cpu: '1' } } }] } }),
      ),
    ),
    report('runs', {
      containerStatuses: [
        running('main', {
          allocatedResources: { cpu: '100m' },
          resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
        }),
      ],
    }),
    admin(
      shown(
        patch(`${PODS}/runs/resize`, {
          spec: { containers: [{ name: 'main', resources: { requests: { cpu: '150m' }, limits: { cpu: '300m' } } }] },
        }),
      ),
    ),
    report('runs', {
      '$setElementOrder/conditions': order(['PodResizePending', ...POD_TYPES]),
      conditions: [said('PodResizePending', 'True', { reason: 'Deferred', message: 'later', observedGeneration: 3 })],
      resize: 'Deferred',
    }),
    report('runs', {
      '$setElementOrder/conditions': order(['PodResizeInProgress', ...POD_TYPES]),
      conditions: [
        said('PodResizeInProgress', 'True', { observedGeneration: 3 }),
        { $patch: 'delete', type: 'PodResizePending' },
      ],
      containerStatuses: [
        running('main', {
          allocatedResources: { cpu: '150m' },
          resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
        }),
      ],
    }),
    report('runs', {
      '$setElementOrder/conditions': order(POD_TYPES),
      conditions: [{ $patch: 'delete', type: 'PodResizeInProgress' }],
      containerStatuses: [
        running('main', {
          allocatedResources: { cpu: '150m' },
          resources: { requests: { cpu: '150m' }, limits: { cpu: '300m' } },
        }),
      ],
      observedGeneration: 3,
    }),
    admin(
      shown(
        patch(`${PODS}/runs/resize`, {
          spec: { containers: [{ name: 'main', resources: { limits: { cpu: '10m' } } }] },
        }),
      ),
    ),
  ],
  'a pod that ends by itself': [
    admin(shown(post(PODS, pod('ends', { restartPolicy: 'Never' })))),
    running1('ends'),
    report('ends', { containerStatuses: [ended('main', 0)], phase: 'Succeeded' }),
    report('ends', { containerStatuses: [running('main')] }),
    report('ends', { phase: 'Running' }),
    admin(shown(remove(`${PODS}/ends`))),
    shown(get(`${PODS}/ends`)),
  ],
  'a pod that is deleted': [
    admin(shown(post(PODS, pod('goes', { terminationGracePeriodSeconds: 20 })))),
    running1('goes'),
    admin(shown(remove(`${PODS}/goes`))),
    admin(shown(remove(`${PODS}/goes`, { gracePeriodSeconds: 5 }))),
    admin(shown(remove(`${PODS}/goes`, { gracePeriodSeconds: 50 }))),
    report('goes', { containerStatuses: [ended('main', 137)], phase: 'Failed' }),
    shown(remove(`${PODS}/goes`, { gracePeriodSeconds: 0, preconditions: { uid: 'other' } })),
    shown(
      remove(`${PODS}/goes`, {
        gracePeriodSeconds: 0,
        preconditions: { uid: uidOf(`${PODS}/goes`), resourceVersion: '1' },
      }),
    ),
    shown(remove(`${PODS}/goes`, final('goes'))),
    shown(remove(`${PODS}/goes`, final('goes'))),
    report('goes', { phase: 'Failed' }),
  ],
  'a pod with a finalizer that is deleted': [
    admin(shown(post(PODS, { ...pod('held'), metadata: { name: 'held', finalizers: ['example.com/hold'] } }))),
    admin(shown(remove(`${PODS}/held`))),
    shown(remove(`${PODS}/held`, final('held'))),
    shown(get(`${PODS}/held`)),
    report('held', { phase: 'Failed' }),
    admin(shown(patch(`${PODS}/held`, { metadata: { finalizers: null } }))),
    shown(get(`${PODS}/held`)),
  ],
  'a pod that is evicted': [
    admin(shown(post(PODS, { ...pod('evicted-here'), metadata: { name: 'evicted-here', labels: { app: 'kept' } } }))),
    running1('evicted-here'),
    admin(
      shown(
        post('/apis/policy/v1/namespaces/here/poddisruptionbudgets', {
          metadata: { name: 'kept' },
          spec: { minAvailable: 1, selector: { matchLabels: { app: 'kept' } } },
        }),
      ),
    ),
    shown(post(`${PODS}/evicted-here/eviction`, { metadata: { name: 'evicted-here' } })),
    report('evicted-here', {
      conditions: [said('DisruptionTarget', 'True', { reason: 'TerminationByKubelet', message: 'low on memory' })],
      phase: 'Failed',
      reason: 'Evicted',
      message: 'low on memory',
    }),
    shown(
      post(`${PODS}/evicted-here/eviction`, {
        metadata: { name: 'evicted-here' },
        deleteOptions: final('evicted-here'),
      }),
    ),
    shown(get(`${PODS}/evicted-here`)),
  ],
  'a mirror pod': [
    shown(
      post(PODS, {
        metadata: {
          name: 'mirrored',
          annotations: {
            'kubernetes.io/config.mirror': 'hash',
            'kubernetes.io/config.hash': 'hash',
            'kubernetes.io/config.seen': '2026-01-01T00:00:00Z',
            'kubernetes.io/config.source': 'file',
          },
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: uidOf(NODE), controller: true }],
        },
        spec: {
          nodeName: 'n1',
          hostNetwork: true,
          priority: 2000001000,
          priorityClassName: 'system-node-critical',
          containers: [{ name: 'main', image: 'i' }],
        },
      }),
    ),
    running1('mirrored'),
    admin(shown(patch(`${PODS}/mirrored`, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'other' } } }))),
    admin(shown(patch(`${PODS}/mirrored`, { metadata: { annotations: { 'kubernetes.io/config.mirror': null } } }))),
    admin(shown(patch(`${PODS}/runs`, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }))),
    admin(
      shown(
        patch(`${PODS}/mirrored/ephemeralcontainers`, { spec: { ephemeralContainers: [{ name: 'd', image: 'i' }] } }),
      ),
    ),
    admin(
      shown(
        patch(`${PODS}/mirrored/resize`, {
          spec: { containers: [{ name: 'main', resources: { limits: { cpu: '1' } } }] },
        }),
      ),
    ),
    admin(shown(remove(`${PODS}/mirrored`))),
    shown(remove(`${PODS}/mirrored`, final('mirrored'))),
  ],
  'a node that is deleted and registers again': [
    admin(shown(remove(NODE))),
    shown(get(NODE)),
    shown(patch(`${NODE}/status`, { status: { conditions: [condition('Ready', 'True', 5)] } })),
    shown(get(`${PODS}/runs`)),
    report('runs', { message: 'still here' }),
    shown(post('/api/v1/nodes', registration({ podCIDR: '10.244.9.0/24' }))),
    shown(
      put(`${LEASE}/n1`, { ...lease(), metadata: { ...(lease()['metadata'] as JsonObject), ...at(`${LEASE}/n1`) } }),
    ),
    shown(get(NODE)),
  ],
};
