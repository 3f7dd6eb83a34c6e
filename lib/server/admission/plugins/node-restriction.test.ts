import 'reflect-metadata';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import { Rounds } from '../admission.ts';
import { anAttributes, lookupOf } from '../testing.ts';
import { nodeRestriction } from './node-restriction.ts';

type AttributesInput = Parameters<typeof anAttributes>[0];

const NODE = { name: 'system:node:mine', groups: ['system:nodes', 'system:authenticated'] };
const MIRROR = { 'kubernetes.io/config.mirror': 'true' };
const pod = (name: string, nodeName: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name, namespace: 'ns', uid: `uid-${name}` },
  spec: { nodeName, serviceAccountName: 'robot', ...spec },
  status: {},
});
const projected = {
  volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { audience: 'vault' } }] } }],
};
const csi = { volumes: [{ name: 'v', csi: { driver: 'disk' } }] };
const lookup = lookupOf({
  '/nodes': [{ metadata: { name: 'mine', uid: 'node-uid' } }],
  '/pods': [pod('own', 'mine', projected), pod('mounting', 'mine', csi), pod('other', 'theirs')],
  '/serviceaccounts': [{ metadata: { name: 'robot', namespace: 'ns', uid: 'robot-uid' } }],
  'storage.k8s.io/csidrivers': [{ metadata: { name: 'disk' }, spec: { tokenRequests: [{ audience: 'disk-api' }] } }],
});
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const never: Authorizer = async () => ({ decision: 'noOpinion', reason: '' });

async function refusalOf(asked: AttributesInput, authorizer: Authorizer = never): Promise<string | undefined> {
  try {
    await nodeRestriction(lookup, authorizer).admit?.(anAttributes({ user: NODE, ...asked }), new Rounds());
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.* is forbidden: /, '') : String(error);
  }
}

const update = (
  oldObject: JsonObject,
  object: JsonObject,
): Pick<AttributesInput, 'operation' | 'object' | 'oldObject'> => ({
  operation: 'UPDATE',
  object,
  oldObject,
});

test.each([
  ['other users are not restricted', { name: 'jane', groups: [] }, undefined],
  ['a name without the group is not a node', { name: 'system:node:mine', groups: [] }, undefined],
  [
    'a node without a name is rejected',
    { name: 'system:node:', groups: ['system:nodes'] },
    'could not determine node from user "system:node:"',
  ],
  ['a node may not change another one', NODE, 'node "mine" is not allowed to modify node "theirs"'],
])('restricts by user: %s', async (_title, user, expected) => {
  const object = { metadata: { name: 'theirs' } };
  expect(await refusalOf({ user, resource: 'nodes', name: 'theirs', object })).toBe(expected);
});

describe("a node's own Node object", () => {
  const node = (labels: JsonObject = {}, spec: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
    metadata: { name: 'mine', labels, ...more },
    spec,
  });
  test.each<[string, Partial<AttributesInput>, string | undefined]>([
    [
      'is created',
      { object: node({ 'kubernetes.io/hostname': 'mine', 'example.com/x': 'y', 'a.node.kubernetes.io/b': 'c' }) },
      undefined,
    ],
    [
      'has no restricted labels',
      { object: node({ 'node-restriction.kubernetes.io/x': 'y', 'other.k8s.io/x': 'y' }) },
      'node "mine" is not allowed to set the following labels: node-restriction.kubernetes.io/x, other.k8s.io/x',
    ],
    [
      'has no configuration source',
      { object: node({}, { configSource: {} }) },
      'node "mine" is not allowed to create pods with a non-nil configSource',
    ],
    [
      'keeps its labels',
      update(node({ 'kubernetes.io/role': 'a' }), node({ 'kubernetes.io/role': 'b' })),
      'is not allowed to modify labels: kubernetes.io/role',
    ],
    [
      'keeps its taints',
      update(node(), node({}, { taints: [{ key: 'a' }] })),
      'node "mine" is not allowed to modify taints',
    ],
    [
      'keeps its owners',
      update(node(), node({}, {}, { ownerReferences: [{ uid: 'u' }] })),
      'node "mine" is not allowed to modify ownerReferences',
    ],
    ['reports', { ...update(node(), { ...node(), status: { phase: 'x' } }), subresource: 'status' }, undefined],
  ])("checks the node's own object: %s", async (_title, more, expected) => {
    expect(await refusalOf({ resource: 'nodes', name: 'mine', ...more })).toBe(expected);
  });
});

describe('pods on a node', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'mine', uid: 'node-uid', controller: true };
  const mirror = (metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
    metadata: { name: 'm', annotations: MIRROR, ownerReferences: [owner], ...metadata },
    spec: { nodeName: 'mine', containers: [], ...spec },
  });
  test.each<[string, JsonObject, string | undefined]>([
    ['a mirror', mirror(), undefined],
    [
      'no mirror',
      mirror({ annotations: {} }),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "mine" can only create mirror pods',
    ],
    [
      'on another node',
      mirror({}, { nodeName: 'x' }),
      'node "mine" can only create pods with spec.nodeName set to itself',
    ],
    [
      'without an owner',
      mirror({ ownerReferences: [] }),
      'node "mine" can only create pods with an owner reference set to itself',
    ],
    [
      'of two',
      mirror({ ownerReferences: [owner, owner] }),
      'node "mine" can only create pods with a single owner reference set to itself',
    ],
    [
      'of another',
      mirror({ ownerReferences: [{ ...owner, name: 'x' }] }),
      'node "mine" can only create pods with an owner reference set to itself',
    ],
    [
      'not controlled',
      mirror({ ownerReferences: [{ ...owner, controller: false }] }),
      'node "mine" can only create pods with a controller owner reference set to itself',
    ],
    [
      'blocking',
      mirror({ ownerReferences: [{ ...owner, blockOwnerDeletion: true }] }),
      'node "mine" must not set blockOwnerDeletion on an owner reference',
    ],
    [
      'of a node that was',
      mirror({ ownerReferences: [{ ...owner, uid: 'x' }] }),
      'node mine UID mismatch: expected x got node-uid',
    ],
    [
      'with an account',
      mirror({}, { serviceAccountName: 'a' }),
      'node "mine" can not create pods that reference serviceaccounts',
    ],
    [
      'with a secret',
      mirror({}, { volumes: [{ name: 'v', projected: { sources: [{ clusterTrustBundle: {} }] } }] }),
      'node "mine" can not create pods that reference clustertrustbundles',
    ],
  ])('are created: %s', async (_title, object, expected) => {
    expect(await refusalOf({ resource: 'pods', namespace: 'ns', name: 'm', object })).toBe(expected);
  });

  test.each<[string, Partial<AttributesInput>, string | undefined]>([
    ['deleted', { operation: 'DELETE', oldObject: pod('own', 'mine') }, undefined],
    [
      'deleted elsewhere',
      { operation: 'DELETE', oldObject: pod('other', 'theirs') },
      'node "mine" can only delete pods with spec.nodeName set to itself',
    ],
    [
      'changed',
      update(pod('own', 'mine'), pod('own', 'mine')),
      'unexpected operation "UPDATE", node "mine" can only create and delete mirror pods',
    ],
    ['reported', { subresource: 'status', ...update(pod('own', 'mine'), pod('own', 'mine')) }, undefined],
    [
      'reported elsewhere',
      { subresource: 'status', ...update(pod('o', 'theirs'), pod('o', 'theirs')) },
      'node "mine" can only update pod status for pods with spec.nodeName set to itself',
    ],
    [
      'labelled by a report',
      {
        subresource: 'status',
        ...update(pod('own', 'mine'), { ...pod('own', 'mine'), metadata: { labels: { a: 'b' } } }),
      },
      'node "mine" cannot update labels through pod status',
    ],
    ['evicted', { subresource: 'eviction', name: 'own', object: {} }, undefined],
    [
      'evicted elsewhere',
      { subresource: 'eviction', name: 'other', object: {} },
      'node mine can only evict pods with spec.nodeName set to itself',
    ],
    [
      'bound',
      { subresource: 'binding', object: {} },
      `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    ],
  ])('pods are %s', async (_title, more, expected) => {
    expect(await refusalOf({ resource: 'pods', namespace: 'ns', name: 'own', ...more })).toBe(expected);
  });
});

describe("tokens of a node's pods", () => {
  const request = (ref: JsonObject, audiences: string[] = ['vault']): JsonObject => ({
    spec: { audiences, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...ref } },
  });
  const ask = (object: JsonObject, authorizer?: Authorizer) =>
    refusalOf(
      { resource: 'serviceaccounts', subresource: 'token', namespace: 'ns', name: 'robot', object },
      authorizer,
    );
  const own = { name: 'own', uid: 'uid-own' };
  test.each<[string, JsonObject, string | undefined]>([
    ['of its pods', request(own), undefined],
    [
      'for an audience that a CSI driver of its pods requests',
      request({ name: 'mounting', uid: 'uid-mounting' }, ['disk-api']),
      undefined,
    ],
    ['without a pod', { spec: {} }, 'node requested token not bound to a pod'],
    ['of a pod without a uid', request({ name: 'own' }), 'node requested token with a pod binding without a uid'],
    [
      'of a pod with an old uid',
      request({ name: 'own', uid: 'x' }),
      'the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'of others’ pods',
      request({ name: 'other', uid: 'uid-other' }),
      'node requested token bound to a pod scheduled on a different node',
    ],
    ['of a pod that does not exist', request({ name: 'gone', uid: 'x' }), 'pod "gone" not found'],
    ['for several', request(own, ['a', 'b']), 'node may only request 0 or 1 audiences'],
    [
      'for whom the pod does not know',
      request(own, ['x']),
      'audience "x" not found in pod spec volume, system:node:mine is not authorized to request tokens for this audience',
    ],
  ])('checks a token %s', async (_title, object, expected) => expect(await ask(object)).toBe(expected));

  test('rejects an audience that it cannot check', async () => {
    const authorizer: Authorizer = async () => ({ decision: 'noOpinion', reason: '', error: 'no answer' });
    expect(await ask(request(own, ['x']), authorizer)).toBe(
      'audience "x" not found in pod spec volume, error authorizing system:node:mine to request tokens for this audience: no answer',
    );
  });

  test('allows an audience for which the node has the right', async () => {
    const authorizer: Authorizer = async (_user, { verb, resource, name }) => ({
      decision:
        `${verb} ${resource} ${name}` === 'request-serviceaccounts-token-audience x robot' ? 'allow' : 'noOpinion',
      reason: '',
    });
    expect(await ask(request(own, ['x']), authorizer)).toBeUndefined();
  });
});

describe('other objects of a node', () => {
  const claim = (status: JsonObject, spec: JsonObject = {}): JsonObject => ({ metadata: { name: 'c' }, spec, status });
  test.each<[string, AttributesInput, string | undefined]>([
    [
      'a claim’s capacity',
      {
        resource: 'persistentvolumeclaims',
        subresource: 'status',
        ...update(claim({}), claim({ capacity: { storage: '1' } })),
      },
      undefined,
    ],
    [
      'a claim’s phase',
      { resource: 'persistentvolumeclaims', subresource: 'status', ...update(claim({}), claim({ phase: 'Bound' })) },
      'node "mine" is not allowed to update fields other than status.quantity and status.conditions',
    ],
    ['a claim', { resource: 'persistentvolumeclaims', object: claim({}) }, 'may only update PVC status'],
    [
      'its lease',
      {
        group: 'coordination.k8s.io',
        resource: 'leases',
        namespace: 'kube-node-lease',
        object: { metadata: { name: 'mine' } },
      },
      undefined,
    ],
    [
      'a lease elsewhere',
      { group: 'coordination.k8s.io', resource: 'leases', namespace: 'ns', name: 'mine' },
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      'another’s lease',
      {
        group: 'coordination.k8s.io',
        resource: 'leases',
        namespace: 'kube-node-lease',
        operation: 'DELETE',
        name: 'x',
      },
      'can only access node lease with the same name as the requesting node',
    ],
    [
      'another node’s CSINode',
      { group: 'storage.k8s.io', resource: 'csinodes', operation: 'UPDATE', name: 'x' },
      'can only access CSINode with the same name as the requesting node',
    ],
    [
      'its own slice',
      { group: 'resource.k8s.io', resource: 'resourceslices', object: { spec: { nodeName: 'mine' } } },
      undefined,
    ],
    [
      'another node’s slice',
      { group: 'resource.k8s.io', resource: 'resourceslices', operation: 'DELETE', oldObject: { spec: {} } },
      'can only delete ResourceSlice with the same NodeName as the requesting node',
    ],
    ['a resource that is not restricted', { resource: 'configmaps', object: {} }, undefined],
  ])('checks the access to %s', async (_title, asked, expected) => expect(await refusalOf(asked)).toBe(expected));

  test.each([
    ['CN=system:node:mine, O=system:nodes', 'kubernetes.io/kubelet-serving', undefined],
    [
      'CN=system:node:x',
      'kubernetes.io/kube-apiserver-client-kubelet',
      'can only create a node CSR with CN=system:node:mine',
    ],
    ['CN=jane', 'example.com/any', undefined],
  ])('checks a certificate of %s by %s', async (name, signerName, expected) => {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const signed = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: ALGORITHM });
    const request = Buffer.from(signed.toString('pem')).toString('base64');
    const asked = {
      group: 'certificates.k8s.io',
      resource: 'certificatesigningrequests',
      object: { spec: { signerName, request } },
    };
    expect(await refusalOf(asked)).toBe(expected);
  });

  test.each<[string, JsonObject, string | undefined]>([
    ['of its pod', {}, undefined],
    [
      'for another node',
      { nodeName: 'x' },
      'PodCertificateRequest.Spec.NodeName="x", which is not the requesting node "mine"',
    ],
    [
      'of another uid',
      { podUID: 'x' },
      'PodCertificateRequest for pod "ns/own" contains pod UID ("x") which differs from running pod "uid-own"',
    ],
    [
      'of another account',
      { serviceAccountName: 'x' },
      'PodCertificateRequest for pod "ns/own" contains serviceAccountName ("x") that differs from running pod ("robot")',
    ],
  ])('a pod’s certificate %s', async (_title, changes, expected) => {
    const spec = {
      nodeName: 'mine',
      nodeUID: 'node-uid',
      podName: 'own',
      podUID: 'uid-own',
      serviceAccountName: 'robot',
      serviceAccountUID: 'robot-uid',
    };
    const object = { spec: { ...spec, ...changes } };
    const asked = { group: 'certificates.k8s.io', resource: 'podcertificaterequests', namespace: 'ns', object };
    expect(await refusalOf(asked)).toBe(expected);
  });
});
