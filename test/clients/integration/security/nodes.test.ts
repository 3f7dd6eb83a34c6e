import 'reflect-metadata';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import { type Requester, requester } from '#test/support/requester.ts';

const NODES = '/api/v1/nodes';
const HERE = '/api/v1/namespaces/here';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces';
const CSI = '/apis/storage.k8s.io/v1/csinodes';
const VOLUMES = '/api/v1/persistentvolumes';
const ATTACHMENTS = '/apis/storage.k8s.io/v1/volumeattachments';
const SLICES = '/apis/resource.k8s.io/v1/resourceslices';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const DRY = '?dryRun=All';
let server: RunningApiserver;
let admin: Requester;
/** The kubelet of n1, as authenticated by default. */
let node: Requester;
const uids = new Map<string, string>();

beforeAll(async () => {
  const groups = ['system:nodes'];
  server = await startApiserver({
    controllers: false,
    tokens: new Map([
      ['n1', { name: 'system:node:n1', groups }],
      ['nameless', { name: 'system:node:', groups }],
    ]),
  });
  admin = requester(server);
  node = requester(server, { authorization: 'Bearer n1' });
  await made('/api/v1/namespaces', { metadata: { name: 'here' } });
  await made('/api/v1/namespaces', { metadata: { name: 'kube-node-lease' } });
  for (const name of ['n1', 'n2'])
    await made(NODES, { metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
  for (const name of ['sa', 'idle']) await made(`${HERE}/serviceaccounts`, { metadata: { name } });
  for (const name of ['seen', 'unseen']) await made(`${HERE}/secrets`, { metadata: { name } });
  await made(`${HERE}/pods`, aPod('mine', 'n1', 'seen'));
  await made(`${HERE}/pods`, aPod('theirs', 'n2', 'unseen'));
  await made(`${HERE}/pods`, aPod('free', '', 'unseen'));
  await made(`${HERE}/persistentvolumeclaims`, {
    metadata: { name: 'claim' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
  });
  await made(SLICES, aSlice('slice', { nodeName: 'n2' }));
  for (const name of ['our', 'their']) await aMountedVolume(name, name === 'our' ? 'n1' : 'n2');
});
afterAll(() => server.close());

async function made(path: string, object: JsonObject): Promise<void> {
  const { status, body } = await admin('POST', path, object);
  expect(status, String(body['message'])).toBe(201);
  const metadata = objectAt(body, 'metadata');
  uids.set(stringAt(metadata, 'name') ?? '', stringAt(metadata, 'uid') ?? '');
}

const aPod = (name: string, nodeName: string, secret: string): JsonObject => ({
  metadata: { name },
  spec: {
    serviceAccountName: 'sa',
    ...(nodeName === '' ? {} : { nodeName }),
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'i' }],
    volumes: [
      ...(secret === 'seen' ? [{ name: 'c', persistentVolumeClaim: { claimName: 'claim' } }] : []),
      { name: 's', secret: { secretName: secret } },
      { name: 't', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } },
    ],
  },
});
/** A pod on a node, with a claim, its volume, the volume's staging secret and its attachment, each with this name. */
async function aMountedVolume(name: string, nodeName: string): Promise<void> {
  const common = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const nodeStageSecretRef = { namespace: 'here', name: `${name}-stage` };
  const csi = { driver: 'd', volumeHandle: name, nodeStageSecretRef };
  const claimRef = { namespace: 'here', name };
  const spec = { ...common, capacity: { storage: '1' }, claimRef, csi };
  await made(VOLUMES, { metadata: { name }, spec });
  await made(`${HERE}/secrets`, { metadata: { name: `${name}-stage` } });
  await made(`${HERE}/persistentvolumeclaims`, {
    metadata: { name },
    spec: { ...common, resources: { requests: { storage: '1' } }, volumeName: name },
  });
  await made(ATTACHMENTS, {
    metadata: { name },
    spec: { attacher: 'd', nodeName, source: { persistentVolumeName: name } },
  });
  await made(`${HERE}/pods`, {
    metadata: { name: `${name}-pod` },
    spec: {
      nodeName,
      serviceAccountName: 'sa',
      automountServiceAccountToken: false,
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: name } }],
    },
  });
}
const aSlice = (name: string, where: JsonObject): JsonObject => ({
  metadata: { name },
  spec: { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, ...where },
});

type Attempt = readonly [
  what: string,
  method: string,
  path: string,
  body: Json | (() => Json) | undefined,
  why: string,
];

async function refused([, method, path, body, why]: Attempt): Promise<void> {
  const answer = await node(method, path, typeof body === 'function' ? body() : body);
  expect([answer.status, answer.body['message']]).toEqual([403, expect.stringContaining(why)]);
}

async function allowed(method: string, path: string, body?: Json): Promise<void> {
  const answer = await node(method, path, body);
  expect(answer.status, String(answer.body['message'])).toBeLessThan(300);
}

const NO_LABEL = 'is not allowed to modify labels: ';
const labelled = (name: string, value: Json = ''): Json => ({ metadata: { labels: { [name]: value } } });

describe('a node and Node objects:', () => {
  const writes: Attempt[] = ['', '/status'].flatMap((subresource): Attempt[] => {
    const own = `${NODES}/n1${subresource}`;
    const of = `of its ${subresource || 'object'}`;
    return [
      [`a role, ${of}`, 'PATCH', own, labelled('node-role.kubernetes.io/x'), `${NO_LABEL}node-role.kubernetes.io/x`],
      [`a label of k8s.io, ${of}`, 'PATCH', own, labelled('a.k8s.io/x'), `${NO_LABEL}a.k8s.io/x`],
      [`a restricted label, ${of}`, 'PATCH', own, labelled('node-restriction.kubernetes.io/x'), NO_LABEL],
      [`a label restricted below, ${of}`, 'PATCH', own, labelled('a.node-restriction.kubernetes.io/x'), NO_LABEL],
      [`its taints, ${of}`, 'PATCH', own, { spec: { taints: [] } }, 'is not allowed to modify taints'],
      [`its owners, ${of}`, 'PATCH', own, { metadata: { ownerReferences: [OWNER] } }, 'modify ownerReferences'],
      [`another's, ${of}`, 'PATCH', `${NODES}/n2${subresource}`, {}, 'is not allowed to modify node "n2"'],
    ];
  });
  test.each<Attempt>([
    ...writes,
    ['another, made new', 'POST', NODES, { metadata: { name: 'n3' } }, 'is not allowed to modify node "n3"'],
    ['one that the server names', 'POST', NODES, { metadata: { generateName: 'n1' } }, 'is not allowed to modify node'],
    [
      'itself, made new with a role',
      'POST',
      NODES,
      { metadata: { name: 'n1', labels: { 'node-role.kubernetes.io/x': '' } } },
      'is not allowed to set the following labels: node-role.kubernetes.io/x',
    ],
    ['itself, to delete', 'DELETE', `${NODES}/n1`, undefined, 'cannot delete resource "nodes"'],
    ['all, to delete', 'DELETE', NODES, undefined, 'cannot deletecollection resource "nodes"'],
  ])('cannot write %s', async (...attempt) => refused(attempt));

  test('allows labels of its own and its status', async () => {
    await allowed('PATCH', `${NODES}/n1${DRY}`, labelled('kubernetes.io/arch', 'arm64'));
    await allowed('PATCH', `${NODES}/n1${DRY}`, labelled('example.com/x'));
    await allowed('PATCH', `${NODES}/n1/status${DRY}`, { status: { capacity: { cpu: '2' } } });
  });
});

const OWNER = { apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'y' };

/** A mirror pod, which runs on a node independently of the server. */
function aMirror(metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: uids.get('n1') ?? '', controller: true };
  return {
    metadata: {
      name: 'mirror',
      annotations: { 'kubernetes.io/config.mirror': 'x' },
      ownerReferences: [{ ...owner, ...objectAt(metadata, 'owner') }],
      ...objectAt(metadata, 'more'),
    },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }], ...spec },
  };
}

describe('a node and mirror pods:', () => {
  const volume = (source: JsonObject) => () => aMirror({}, { volumes: [{ name: 'v', ...source }] });
  test.each<[string, () => JsonObject, string]>([
    ['for another', () => aMirror({}, { nodeName: 'n2' }), 'with spec.nodeName set to itself'],
    ['owned by another', () => aMirror({ owner: { name: 'n2' } }), 'with an owner reference set to itself'],
    ['owned by another of its name', () => aMirror({ owner: { uid: 'x' } }), 'node n1 UID mismatch'],
    ['owned by nobody', () => aMirror({ more: { ownerReferences: [] } }), 'with an owner reference set to itself'],
    ['not controlled by it', () => aMirror({ owner: { controller: false } }), 'with a controller owner reference'],
    ['that holds it up', () => aMirror({ owner: { blockOwnerDeletion: true } }), 'must not set blockOwnerDeletion'],
    ['as an account', () => aMirror({}, { serviceAccountName: 'sa' }), 'may not reference service accounts'],
    ['with a secret', volume({ secret: { secretName: 'unseen' } }), 'may not reference secrets'],
    [
      'with a token',
      volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }),
      'may not use ServiceAccountToken volume projections',
    ],
    ['with a config map', volume({ configMap: { name: 'x' } }), 'that reference configmaps'],
    ['with a claim', volume({ persistentVolumeClaim: { claimName: 'claim' } }), 'persistentvolumeclaims'],
  ])('cannot create one %s', async (_, pod, why) => refused(['', 'POST', `${HERE}/pods${DRY}`, pod, why]));

  test('can create that of its own', async () => allowed('POST', `${HERE}/pods${DRY}`, aMirror()));
});

describe('a node with pods of other nodes, or of none,', () => {
  const attempts = ['theirs', 'free'].flatMap((name): Attempt[] => {
    const pod = `${HERE}/pods/${name}`;
    const report = { status: { phase: 'Running' } };
    return [
      [`report ${name}`, 'PATCH', `${pod}/status`, report, 'for pods with spec.nodeName set to itself'],
      [`delete ${name}`, 'DELETE', pod, undefined, 'only delete pods with spec.nodeName set to itself'],
      [`evict ${name}`, 'POST', `${pod}/eviction`, { metadata: { name } }, 'only evict pods with spec.nodeName'],
      [`bind ${name}`, 'POST', `${pod}/binding`, { target: { name: 'n1' } }, 'cannot create resource "pods/binding"'],
      [`read ${name}`, 'GET', pod, undefined, `no relationship found between node 'n1' and this object`],
    ];
  });
  test.each<Attempt>([
    ...attempts,
    ['list all', 'GET', '/api/v1/pods', undefined, 'can only list/watch pods'],
    ['list those of another', 'GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn2', undefined, 'can only list/watch'],
    ['list all but one node’s', 'GET', '/api/v1/pods?fieldSelector=spec.nodeName!%3Dn2', undefined, 'can only list'],
    ['delete all', 'DELETE', `${HERE}/pods`, undefined, 'cannot deletecollection resource "pods"'],
    ['evict by another name', 'POST', `${HERE}/pods/theirs/eviction`, { metadata: { name: 'mine' } }, 'only evict'],
    ['change its own', 'PATCH', `${HERE}/pods/mine`, {}, 'cannot patch resource "pods"'],
    ['label its own', 'PATCH', `${HERE}/pods/mine/status`, labelled('a'), 'cannot update labels through pod status'],
    ['debug its own', 'PATCH', `${HERE}/pods/mine/ephemeralcontainers`, {}, 'cannot patch resource'],
    ['read their secret', 'GET', `${HERE}/secrets/unseen`, undefined, 'no relationship found'],
    ['list secrets', 'GET', `${HERE}/secrets`, undefined, 'No Object name found'],
    ['write the secret it reads', 'PUT', `${HERE}/secrets/seen`, {}, 'can only read resources of this type'],
    ['make an account', 'POST', `${HERE}/serviceaccounts`, {}, 'cannot create resource "serviceaccounts"'],
  ])('cannot %s', async (...attempt) => refused(attempt));

  test('allows the required changes with its own pods', async () => {
    await allowed('GET', `${HERE}/pods/mine`);
    await allowed('GET', `${HERE}/secrets/seen`);
    await allowed('GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn1');
    await allowed('PATCH', `${HERE}/pods/mine/status${DRY}`, { status: { phase: 'Running' } });
    await allowed('POST', `${HERE}/pods/mine/eviction${DRY}`, { metadata: { name: 'mine' } });
  });
});

describe('a node and tokens:', () => {
  const asked = (name: string, spec: JsonObject = {}, uid = uids.get(name) ?? '') => ({
    spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, ...(uid === '' ? {} : { uid }) }, ...spec },
  });
  const TOKEN = `${HERE}/serviceaccounts/sa/token`;
  test.each<[string, () => JsonObject, string]>([
    ['of an account', () => ({ spec: {} }), 'not bound to a pod'],
    ['of a pod elsewhere', () => asked('theirs'), 'bound to a pod scheduled on a different node'],
    ['of a pod nowhere', () => asked('free'), 'bound to a pod scheduled on a different node'],
    ['of a pod whose uid it does not know', () => asked('mine', {}, ''), 'a pod binding without a uid'],
    ['of a pod that was', () => asked('mine', {}, 'x'), 'does not match the UID in record'],
    [
      'for another than the pod asks for',
      () => asked('mine', { audiences: ['other'] }),
      'error validating audience "other": persistentvolume "" not found',
    ],
    [
      'for this server, which the pod asks nothing of',
      () => asked('mine'),
      'error validating audience "": persistentvolume "" not found',
    ],
    ['for two', () => asked('mine', { audiences: ['vault', 'vault'] }), 'may only request 0 or 1 audiences'],
    [
      'of itself',
      () => ({ spec: { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1' } } }),
      'not bound to a pod',
    ],
  ])('cannot request one %s', async (_, body, why) => refused(['', 'POST', TOKEN, body, why]));

  test('cannot request one for an account that none of its pods has', async () => {
    const answer = await node('POST', `${HERE}/serviceaccounts/idle/token`, asked('mine', { audiences: ['vault'] }));
    expect(answer.status).toBe(403);
  });

  test("can request one only for its pod's account", async () =>
    allowed('POST', TOKEN, asked('mine', { audiences: ['vault'] })));
});

describe('a node writes no object of another node:', () => {
  const named = (name: string): JsonObject => ({ metadata: { name } });
  const LEASE = 'can only access node lease with the same name as the requesting node';
  const CLAIM = 'is not allowed to update fields other than status.quantity and status.conditions';
  const claim = `${HERE}/persistentvolumeclaims/claim/status`;
  test.each<Attempt>([
    ['lease', 'POST', `${LEASES}/kube-node-lease/leases`, named('n2'), LEASE],
    [
      'lease by generated name',
      'POST',
      `${LEASES}/kube-node-lease/leases`,
      { metadata: { generateName: 'n1' } },
      LEASE,
    ],
    ['lease of a leader', 'PUT', `${LEASES}/kube-system/leases/kube-controller-manager`, {}, 'leases'],
    ['lease elsewhere', 'POST', `${LEASES}/here/leases`, named('n1'), 'leases'],
    ['CSINode', 'POST', CSI, named('n2'), 'can only access CSINode with the same name'],
    ['CSINode to delete', 'DELETE', `${CSI}/n2`, undefined, 'csinodes'],
    ['slice', 'POST', SLICES, aSlice('s', { nodeName: 'n2' }), 'can only create ResourceSlice'],
    ['slice of all nodes', 'POST', SLICES, aSlice('s', { allNodes: true }), 'can only create ResourceSlice'],
    ['slice to change', 'PATCH', `${SLICES}/slice`, { spec: { nodeName: 'n1' } }, 'resourceslices'],
    ['slices to delete', 'DELETE', SLICES, undefined, 'can only list/watch/deletecollection resourceslices'],
    ['claim', 'PATCH', `${HERE}/persistentvolumeclaims/claim`, {}, 'persistentvolumeclaims'],
    ['phase of a claim', 'PATCH', claim, { status: { phase: 'Lost' } }, CLAIM],
    ['label of a claim', 'PATCH', claim, labelled('a'), CLAIM],
    ['finalizer of a claim', 'PATCH', claim, { metadata: { finalizers: ['a.b/c'] } }, CLAIM],
    ['role', 'POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', named('x'), 'clusterroles'],
  ])('cannot write a %s', async (...attempt) => refused(attempt));

  test('can write its own', async () => {
    await allowed('POST', `${LEASES}/kube-node-lease/leases${DRY}`, named('n1'));
    await allowed('POST', `${SLICES}${DRY}`, aSlice('s', { nodeName: 'n1' }));
    await allowed('PATCH', `${claim}${DRY}`, { status: { capacity: { storage: '1' } } });
  });

  test('cannot write an object without its own name', async () => {
    const nameless = requester(server, { authorization: 'Bearer nameless' });
    for (const name of ['', 'n1'])
      expect((await nameless('POST', `${LEASES}/kube-node-lease/leases`, named(name))).status).toBe(403);
    expect((await nameless('GET', `${NODES}/n1`)).status).toBe(403);
  });
});

describe('a node and volumes:', () => {
  const NONE = 'no relationship found';
  const claim = `${HERE}/persistentvolumeclaims/their`;
  test.each<Attempt>([
    ['read another’s claim', 'GET', claim, undefined, NONE],
    ['report another’s claim', 'PATCH', `${claim}/status`, { status: { capacity: { storage: '2' } } }, NONE],
    ['read another’s volume', 'GET', `${VOLUMES}/their`, undefined, NONE],
    ['read another’s attachment', 'GET', `${ATTACHMENTS}/their`, undefined, NONE],
    ['read the secret to stage another’s volume', 'GET', `${HERE}/secrets/their-stage`, undefined, NONE],
    ['read another’s CSINode', 'GET', `${CSI}/n2`, undefined, 'can only access CSINode with the same name'],
    ['list claims', 'GET', `${HERE}/persistentvolumeclaims`, undefined, 'can only get individual resources'],
    ['list volumes', 'GET', VOLUMES, undefined, 'can only get individual resources'],
    ['list attachments', 'GET', ATTACHMENTS, undefined, 'can only get individual resources'],
    ['change its volume', 'PATCH', `${VOLUMES}/our`, {}, 'cannot patch resource "persistentvolumes"'],
    ['end its attachment', 'DELETE', `${ATTACHMENTS}/our`, undefined, 'cannot delete resource "volumeattachments"'],
    [
      'attach a volume to itself',
      'POST',
      ATTACHMENTS,
      { metadata: { name: 'x' }, spec: { attacher: 'd', nodeName: 'n1', source: { persistentVolumeName: 'their' } } },
      'cannot create resource "volumeattachments"',
    ],
  ])('cannot %s', async (...attempt) => refused(attempt));

  test('can read what its own pods need', async () => {
    await allowed('GET', `${HERE}/persistentvolumeclaims/our`);
    await allowed('GET', `${VOLUMES}/our`);
    await allowed('GET', `${ATTACHMENTS}/our`);
    await allowed('GET', `${HERE}/secrets/our-stage`);
  });
});

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function aRequest(name: string, signer: string): Promise<JsonObject> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const signed = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: ALGORITHM });
  const request = Buffer.from(signed.toString('pem')).toString('base64');
  const signerName = `kubernetes.io/${signer}`;
  return { metadata: { name: 'csr' }, spec: { signerName, request, usages: ['digital signature', 'client auth'] } };
}

describe('certificates of nodes', () => {
  const OTHER = 'can only create a node CSR with CN=system:node:n1';
  const MASTERS = 'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed';
  test.each([
    ['of another node', 'O=system:nodes, CN=system:node:n2', 'kube-apiserver-client-kubelet', OTHER],
    ['of another node’s server', 'O=system:nodes, CN=system:node:n2', 'kubelet-serving', OTHER],
    ['of two names, the last another', 'CN=system:node:n1, CN=system:node:n2', 'kubelet-serving', OTHER],
    ['of who may do everything', 'O=system:masters, CN=root', 'kube-apiserver-client-kubelet', OTHER],
    ['of who may do everything, as a client', 'O=system:masters, CN=root', 'kube-apiserver-client', MASTERS],
    ['of a node that may do everything', 'O=system:masters, CN=system:node:n1', 'kube-apiserver-client', MASTERS],
  ])('%s are rejected', async (_, subject, signer, why) => {
    const request = await aRequest(subject, signer);
    await refused(['', 'POST', REQUESTS, request, why]);
  });

  test('cannot be created as another user, approved by their requestor, or given to another requestor', async () => {
    const request = await aRequest('O=system:nodes, CN=system:node:n1', 'kube-apiserver-client-kubelet');
    const spec = { ...objectAt(request, 'spec'), username: 'admin', groups: ['system:masters'] };
    const { body } = await node('POST', REQUESTS, { ...request, spec });
    const asked = { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };
    expect(body['spec']).toMatchObject(asked);
    const approved = { status: { conditions: [{ type: 'Approved', status: 'True' }] } };
    expect((await node('PATCH', `${REQUESTS}/csr/approval`, approved)).status).toBe(403);
    expect((await node('PATCH', `${REQUESTS}/csr/status`, { status: { certificate: 'eA==' } })).status).toBe(403);
    const changed = await admin('PATCH', `${REQUESTS}/csr`, {
      spec: { username: 'admin', groups: ['system:masters'] },
    });
    expect(objectAt(changed.body, 'spec')).toMatchObject(asked);
  });
});
