import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type Asked, type Asking, at, get, patch, post, put, remove, uidOf } from './asked.ts';
import { aSlice, named } from './world.ts';

const NODES = '/api/v1/nodes';
const HERE = '/api/v1/namespaces/here';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const CSI = '/apis/storage.k8s.io/v1/csinodes';
const ATTACHMENTS = '/apis/storage.k8s.io/v1/volumeattachments';
const SLICES = '/apis/resource.k8s.io/v1/resourceslices';
const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/here/resourceclaims';
const EVENTS = '/apis/events.k8s.io/v1/namespaces/here/events';
const POD_CERTIFICATES = '/apis/certificates.k8s.io/v1beta1/namespaces/here/podcertificaterequests';
const ALL_PODS = '/api/v1/pods';

const of = (field: string, value: string): string => `fieldSelector=${encodeURIComponent(`${field}=${value}`)}`;

/** A read in each of the three forms that a kubelet's informers use. */
const read = (path: string, name: string): Asked[] => [
  get(`${path}/${name}`),
  get(`${path}?${of('metadata.name', name)}`),
  get(`${path}?watch=true&${of('metadata.name', name)}`),
];

const node = (name: string, more: JsonObject = {}): JsonObject => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' }, ...more },
  spec: { providerID: `metal://${name}`, taints: [{ key: 'example.com/startup', effect: 'NoSchedule' }] },
});

/** Conditions in the form that kubelets write. The patch contains their order. */
const status = (type: string): JsonObject => ({
  status: {
    '$setElementOrder/conditions': [{ type }],
    conditions: [{ type, status: 'True', reason: 'R', message: 'm' }],
  },
});

const final = (pod: string): JsonObject => ({
  gracePeriodSeconds: 0,
  preconditions: { uid: uidOf(`${HERE}/pods/${pod}`) },
});

const lease = (name: string, more: JsonObject = {}): JsonObject => ({
  metadata: {
    name,
    ...more,
    ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: uidOf(`${NODES}/n1`) }],
  },
  spec: { holderIdentity: name, leaseDurationSeconds: 40, renewTime: '2026-01-01T00:00:00.000000Z' },
});

/** A mirror pod, which the node runs independently of the server. */
const mirror = (owner: string, nodeName: string): JsonObject => ({
  metadata: {
    name: `static-${nodeName}`,
    annotations: { 'kubernetes.io/config.mirror': 'x', 'kubernetes.io/config.source': 'file' },
    ownerReferences: [
      { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: uidOf(`${NODES}/${owner}`), controller: true },
    ],
  },
  spec: {
    nodeName,
    containers: [{ name: 'c', image: 'i' }],
    tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
  },
});

const token = (pod: string, audience = 'vault'): JsonObject => ({
  spec: {
    audiences: [audience],
    expirationSeconds: 3607,
    boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: pod, uid: uidOf(`${HERE}/pods/${pod}`) },
  },
});

const event = (name: string): JsonObject => ({
  metadata: { name, namespace: 'here' },
  involvedObject: { kind: 'Pod', namespace: 'here', name: 'mine' },
  reason: 'Pulled',
  message: 'm',
  type: 'Normal',
  source: { component: 'kubelet', host: 'n1' },
});
const seriesEvent = (name: string): JsonObject => ({
  metadata: { name, namespace: 'here' },
  regarding: { kind: 'Pod', namespace: 'here', name: 'mine' },
  reason: 'Pulled',
  action: 'Pulling',
  type: 'Normal',
  eventTime: '2026-01-01T00:00:00.000000Z',
  reportingController: 'kubelet',
  reportingInstance: 'n1',
});

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';

/**
 * The review that a kubelet sends before it serves a user: upstream's fine-grained authorization of the kubelet API.
 */
const review = (user: string, groups: string[], verb: string, subresource: string): Asked =>
  post(REVIEWS, {
    spec: {
      user,
      groups: [...groups, 'system:authenticated'],
      resourceAttributes: { verb, version: 'v1', resource: 'nodes', subresource, name: 'n1' },
    },
  });

const OF_KUBELETS = ['metrics', 'stats', 'log', 'proxy', 'pods', 'healthz', 'configz', 'checkpoint', 'statusz'];
/** Users with roles in this world, and users that exist in every cluster. */
const CLIENTS: readonly (readonly [user: string, groups: string[]])[] = [
  ['nobody', []],
  ['prober', []],
  ['scraper', []],
  ['anyone', ['system:monitoring']],
  ['system:node:n1', ['system:nodes']],
];

/** The requests of kubelet 1.36 to an API server, for its own node and for others, in the order in which they are sent here. */
export const REQUESTS: Asking = {
  'its node, before it is there': [get(`${NODES}/n1`), get(`${NODES}?${of('metadata.name', 'n1')}`)],
  registration: [
    post(NODES, node('n1', { labels: { 'node-role.kubernetes.io/x': '', 'a.k8s.io/b': '' } })),
    post(NODES, node('n1', { labels: { 'node-restriction.kubernetes.io/a': '' } })),
    post(NODES, node('n1')),
    post(NODES, node('n1')),
    post(NODES, node('n3')),
  ],
  nodes: [
    ...read(NODES, 'n1'),
    ...read(NODES, 'n2'),
    get(NODES),
    get(`${NODES}?watch=true`),
    get(`${NODES}/n1/status`),
    patch(`${NODES}/n1/status`, status('Ready')),
    patch(`${NODES}/n2/status`, status('Ready')),
    patch(`${NODES}/n1/status`, {
      metadata: { annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' } },
    }),
    patch(`${NODES}/n1/status`, { metadata: { labels: { 'node.kubernetes.io/instance-type': 'small' } } }),
    patch(`${NODES}/n1/status`, { metadata: { labels: { 'node-role.kubernetes.io/worker': '' } } }),
    patch(`${NODES}/n1`, { metadata: { labels: { 'topology.kubernetes.io/zone': 'z' } } }),
    patch(`${NODES}/n1`, { metadata: { labels: { 'kubernetes.io/role': 'x' } } }),
    patch(`${NODES}/n1`, { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } }),
    patch(`${NODES}/n1`, { spec: { unschedulable: true } }),
    patch(`${NODES}/n1`, { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } }),
    patch(`${NODES}/n2`, { metadata: { labels: { 'topology.kubernetes.io/zone': 'z' } } }),
    remove(`${NODES}/n1`),
    remove(`${NODES}/n2`),
    get(`${NODES}/n1/proxy/metrics`),
    get(`${NODES}/n2/proxy/metrics`),
  ],
  leases: [
    get(`${LEASES}/n1`),
    post(LEASES, lease('n1')),
    get(`${LEASES}/n1`),
    put(`${LEASES}/n1`, lease('n1')),
    put(`${LEASES}/n1`, lease('n1', at(`${LEASES}/n1`))),
    patch(`${LEASES}/n1`, { spec: { renewTime: '2026-01-01T00:00:10.000000Z' } }),
    get(`${LEASES}/n2`),
    put(`${LEASES}/n2`, lease('n2')),
    post(LEASES, lease('n5')),
    get(LEASES),
    get(`${LEASES}?watch=true`),
    get('/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/n1'),
    remove(`${LEASES}/n2`),
    remove(`${LEASES}/n1`),
  ],
  pods: [
    get(`${ALL_PODS}?${of('spec.nodeName', 'n1')}`),
    get(`${ALL_PODS}?watch=true&${of('spec.nodeName', 'n1')}`),
    get(`${ALL_PODS}?fieldSelector=spec.nodeName%3D%3Dn1`),
    get(`${ALL_PODS}?${of('spec.nodeName', 'n2')}`),
    get(`${ALL_PODS}?fieldSelector=spec.nodeName!%3Dn2`),
    get(`${ALL_PODS}?fieldSelector=spec.nodeName%3Dn1%2Cstatus.phase%3DRunning`),
    get(ALL_PODS),
    get(`${ALL_PODS}?watch=true`),
    ...read(`${HERE}/pods`, 'mine'),
    ...read(`${HERE}/pods`, 'theirs'),
    get(`${HERE}/pods/free`),
    get(`${HERE}/pods/none`),
    get(`${HERE}/pods/mine/status`),
    patch(`${HERE}/pods/mine/status`, { metadata: { uid: uidOf(`${HERE}/pods/mine`) }, status: { phase: 'Running' } }),
    patch(`${HERE}/pods/mine/status`, { metadata: { uid: uidOf(`${HERE}/pods/theirs`) }, status: { phase: 'Failed' } }),
    patch(`${HERE}/pods/theirs/status`, { status: { phase: 'Failed' } }),
    patch(`${HERE}/pods/free/status`, { status: { phase: 'Failed' } }),
    patch(`${HERE}/pods/mine/status`, { metadata: { labels: { a: 'b' } } }),
    patch(`${HERE}/pods/mine/status`, {
      status: { resourceClaimStatuses: [{ name: 'device', resourceClaimName: 'theirs' }] },
    }),
    patch(`${HERE}/pods/mine/status`, {
      status: { extendedResourceClaimStatus: { resourceClaimName: 'theirs', requestMappings: [] } },
    }),
    patch(`${HERE}/pods/mine`, { metadata: { labels: { a: 'b' } } }),
    patch(`${HERE}/pods/mine/ephemeralcontainers`, {}),
    patch(`${HERE}/pods/mine/resize`, {}),
    post(`${HERE}/pods/mine/binding`, { target: { name: 'n1' } }),
    get(`${HERE}/pods/mine/log`),
    get(`${HERE}/pods/mine/exec`),
    post(`${HERE}/pods/evicted/eviction`, named('evicted')),
    post(`${HERE}/pods/theirs/eviction`, named('theirs')),
    post(`${HERE}/pods/none/eviction`, named('none')),
    remove(`${HERE}/pods/ending`, final('theirs')),
    remove(`${HERE}/pods/ending`, final('ending')),
    remove(`${HERE}/pods/ending`, final('ending')),
    remove(`${HERE}/pods/theirs`, final('theirs')),
    remove(`${HERE}/pods/free`, final('free')),
    remove(`${HERE}/pods/none`),
    remove(`${HERE}/pods?${of('spec.nodeName', 'n1')}`),
  ],
  'mirror pods': [
    post(`${HERE}/pods`, mirror('n1', 'n1')),
    post(`${HERE}/pods`, mirror('n2', 'n2')),
    post(`${HERE}/pods`, { ...mirror('n2', 'n1') }),
    get(`${HERE}/pods/static-n1`),
    patch(`${HERE}/pods/static-n1/status`, { status: { phase: 'Running' } }),
    remove(`${HERE}/pods/static-n1`, final('static-n1')),
    post(`${HERE}/pods`, {
      metadata: { name: 'plain' },
      spec: { nodeName: 'n1', serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
    }),
  ],
  'secrets and config maps': [
    ...['secrets', 'configmaps'].flatMap((resource) => [
      ...read(`${HERE}/${resource}`, 'seen'),
      ...read(`${HERE}/${resource}`, 'unseen'),
      ...read(`${HERE}/${resource}`, resource === 'secrets' ? 'pulled' : 'mapped'),
      get(`${HERE}/${resource}`),
      get(`${HERE}/${resource}?watch=true`),
      get(`/api/v1/${resource}?${of('metadata.name', 'seen')}`),
      get(`/api/v1/namespaces/default/${resource}/seen`),
      patch(`${HERE}/${resource}/seen`, {}),
    ]),
    get(`${HERE}/secrets/staged`),
  ],
  volumes: [
    get('/api/v1/persistentvolumes/mine'),
    get('/api/v1/persistentvolumes/theirs'),
    get('/api/v1/persistentvolumes'),
    patch('/api/v1/persistentvolumes/mine', { spec: { capacity: { storage: '2Gi' } } }),
    get(`${HERE}/persistentvolumeclaims/claim`),
    get(`${HERE}/persistentvolumeclaims/foreign`),
    get(`${HERE}/persistentvolumeclaims?${of('metadata.name', 'claim')}`),
    patch(`${HERE}/persistentvolumeclaims/claim/status`, { status: { capacity: { storage: '1Gi' } } }),
    patch(`${HERE}/persistentvolumeclaims/claim/status`, {
      status: {
        allocatedResourceStatuses: { storage: 'NodeResizeInProgress' },
        allocatedResources: { storage: '1Gi' },
      },
    }),
    patch(`${HERE}/persistentvolumeclaims/foreign/status`, { status: { capacity: { storage: '1Gi' } } }),
    patch(`${HERE}/persistentvolumeclaims/claim`, {}),
    get(`${ATTACHMENTS}/mine`),
    get(`${ATTACHMENTS}/theirs`),
    get(`${ATTACHMENTS}/none`),
    get(ATTACHMENTS),
    post(ATTACHMENTS, {
      ...named('made'),
      spec: { attacher: 'a', nodeName: 'n1', source: { persistentVolumeName: 'mine' } },
    }),
    remove(`${ATTACHMENTS}/mine`),
    get('/apis/storage.k8s.io/v1/csidrivers'),
    get('/apis/storage.k8s.io/v1/csidrivers?watch=true'),
    get('/apis/storage.k8s.io/v1/csidrivers/disk.example.com'),
    get(`${CSI}/n1`),
    post(CSI, { ...named('n1'), spec: { drivers: [] } }),
    post(CSI, { ...named('n3'), spec: { drivers: [] } }),
    put(`${CSI}/n1`, {
      metadata: { name: 'n1', ...at(`${CSI}/n1`) },
      spec: { drivers: [{ name: 'disk.example.com', nodeID: 'n1', topologyKeys: null }] },
    }),
    put(`${CSI}/n2`, { ...named('n2'), spec: { drivers: [] } }),
    get(`${CSI}/n2`),
    get(CSI),
    get(`${CSI}?watch=true`),
    remove(`${CSI}/n2`),
    remove(`${CSI}/n1`),
  ],
  devices: [
    get(`${CLAIMS}/mine`),
    get(`${CLAIMS}/theirs`),
    get(CLAIMS),
    patch(`${CLAIMS}/mine/status`, {}),
    get(`${SLICES}?${of('spec.nodeName', 'n1')}`),
    get(`${SLICES}?watch=true&${of('spec.nodeName', 'n1')}`),
    get(`${SLICES}?${of('spec.nodeName', 'n2')}`),
    get(SLICES),
    post(SLICES, aSlice('mine', 'n1')),
    post(SLICES, aSlice('other', 'n2')),
    get(`${SLICES}/mine`),
    get(`${SLICES}/theirs`),
    patch(`${SLICES}/theirs`, {}),
    remove(`${SLICES}/theirs`),
    remove(`${SLICES}?${of('spec.nodeName', 'n2')}`),
    remove(`${SLICES}?${of('spec.nodeName', 'n1')}`),
    get(`${SLICES}/mine`),
    get('/apis/resource.k8s.io/v1/deviceclasses'),
  ],
  'accounts and tokens': [
    get(`${HERE}/serviceaccounts/robot`),
    get(`${HERE}/serviceaccounts/idle`),
    get(`${HERE}/serviceaccounts`),
    get(`${HERE}/serviceaccounts?${of('metadata.name', 'robot')}`),
    post(`${HERE}/serviceaccounts/robot/token`, token('mine')),
    post(`${HERE}/serviceaccounts/robot/token`, token('mine', 'other')),
    post(`${HERE}/serviceaccounts/robot/token`, token('mine', 'disks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('mine', 'blocks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('inline', 'disks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('inline', 'blocks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('lacking', 'disks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('lacking-once', 'disks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('lacking-once', 'blocks')),
    post(`${HERE}/serviceaccounts/robot/token`, token('theirs')),
    post(`${HERE}/serviceaccounts/robot/token`, token('none')),
    post(`${HERE}/serviceaccounts/robot/token`, { spec: { audiences: ['vault'] } }),
    post(`${HERE}/serviceaccounts/other/token`, token('theirs')),
    post(`${HERE}/serviceaccounts/idle/token`, token('mine')),
    post(`${HERE}/serviceaccounts/robot/token`, {
      spec: { audiences: ['vault'], boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1' } },
    }),
  ],
  'services and classes': [
    get('/api/v1/services?fieldSelector=spec.clusterIP!%3DNone'),
    get('/api/v1/services?watch=true&fieldSelector=spec.clusterIP!%3DNone'),
    get('/api/v1/services'),
    get('/api/v1/namespaces/default/services/kubernetes'),
    post(`${HERE}/services`, { ...named('s'), spec: { ports: [{ port: 80 }] } }),
    get('/api/v1/namespaces/default/endpoints/kubernetes'),
    get('/api/v1/endpoints'),
    get('/apis/node.k8s.io/v1/runtimeclasses'),
    get('/apis/node.k8s.io/v1/runtimeclasses?watch=true'),
    get('/apis/node.k8s.io/v1/runtimeclasses/fast'),
    remove('/apis/node.k8s.io/v1/runtimeclasses/fast'),
    get('/api/v1/namespaces'),
    get('/api/v1/namespaces/here'),
  ],
  events: [
    post(`${HERE}/events`, event('mine.1')),
    patch(`${HERE}/events/mine.1`, { count: 2 }),
    put(`${HERE}/events/mine.1`, event('mine.1')),
    get(`${HERE}/events/mine.1`),
    get(`${HERE}/events`),
    remove(`${HERE}/events/mine.1`),
    post(EVENTS, seriesEvent('mine.2')),
    patch(`${EVENTS}/mine.2`, { series: { count: 2, lastObservedTime: '2026-01-01T00:00:10.000000Z' } }),
    get(`${EVENTS}/mine.2`),
  ],
  reviews: [
    post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'nobody' } }),
    ...CLIENTS.flatMap(([user, groups]) =>
      OF_KUBELETS.flatMap((subresource) => ['get', 'create'].map((verb) => review(user, groups, verb, subresource))),
    ),
    review('prober', [], 'list', ''),
    review('prober', [], 'update', ''),
    post('/apis/authorization.k8s.io/v1/namespaces/here/localsubjectaccessreviews', {
      spec: { user: 'jane', resourceAttributes: { namespace: 'here', verb: 'get', resource: 'pods' } },
    }),
    post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      spec: { resourceAttributes: { verb: 'get', resource: 'nodes', name: 'n1' } },
    }),
    post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', { spec: { namespace: 'here' } }),
  ],
  'certificates of pods': [
    get(`${POD_CERTIFICATES}?${of('spec.nodeName', 'n1')}`),
    post(POD_CERTIFICATES, named('x')),
    get('/apis/certificates.k8s.io/v1beta1/clustertrustbundles'),
  ],
  'anything else': [
    get('/api'),
    get('/apis'),
    get('/healthz'),
    get('/metrics'),
    get('/version'),
    get('/apis/apps/v1/daemonsets'),
    get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node'),
    get('/apis/certificates.k8s.io/v1/certificatesigningrequests'),
    get('/apis/certificates.k8s.io/v1/certificatesigningrequests?watch=true'),
    remove('/apis/certificates.k8s.io/v1/certificatesigningrequests/x'),
    get('/apis/storage.k8s.io/v1/storageclasses'),
    get('/apis/policy/v1/poddisruptionbudgets'),
  ],
};
