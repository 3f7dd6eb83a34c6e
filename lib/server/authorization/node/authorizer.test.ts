import { expect, test } from 'vitest';
import { asks } from '../rbac/a-policy.ts';
import { nodeAuthorizer } from './authorizer.ts';
import type { Relations } from './relations.ts';

/**
 * Node n runs the pod ns/p, which refers to `mine` of every kind. The volume and cluster-scoped objects named `mine` belong to the node.
 */
const relations: Relations = {
  hasPod: async ({ node, namespace, name }) => `${node} ${namespace}/${name}` === 'n ns/p',
  refersTo: async (_, { node, namespace, name }) => `${node} ${namespace}/${name}` === 'n ns/mine',
  mounts: async ({ node, name }) => `${node} ${name}` === 'n mine',
  isNamedBy: async (_, { node, name }) => `${node} ${name}` === 'n mine',
};
const authorize = nodeAuthorizer(relations);
const UNRELATED = "no relationship found between node 'n' and this object";

async function answer(text: string, field?: string): Promise<string> {
  const user = { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] };
  const [name = '', value = ''] = (field ?? '').split('=');
  const fieldSelector = field === undefined ? {} : { fieldSelector: [{ field: name, operator: '=' as const, value }] };
  const { decision, reason } = await authorize(user, { ...asks(text), ...fieldSelector });
  return decision === 'allow' ? 'yes' : reason;
}

/** Upstream's TestNodeAuthorizer and its siblings. */
test.each<[asked: string, answer: string, field?: string]>([
  ['get ns core secrets mine', 'yes'],
  ['list ns core secrets mine', 'yes'],
  ['watch ns core configmaps mine', 'yes'],
  ['get ns core secrets other', UNRELATED],
  ['get other core secrets mine', UNRELATED],
  ['list ns core secrets', 'No Object name found'],
  ['list - core secrets', 'can only read namespaced object of this type'],
  ['update ns core secrets mine', 'can only read resources of this type'],
  ['get ns core configmaps/x mine', 'cannot read subresource'],
  ['get ns core persistentvolumeclaims mine', 'yes'],
  ['list ns core persistentvolumeclaims mine', 'can only get individual resources of this type'],
  ['get ns core persistentvolumeclaims/x mine', 'cannot get subresource'],
  ['patch ns core persistentvolumeclaims/status mine', 'yes'],
  ['update ns core persistentvolumeclaims/status other', UNRELATED],
  ['get ns core persistentvolumeclaims/status mine', 'can only get/update/patch this type'],
  ['get - core persistentvolumes mine', 'yes'],
  ['get - core persistentvolumes other', UNRELATED],
  ['get ns resource.k8s.io resourceclaims mine', 'yes'],
  ['list ns resource.k8s.io resourceclaims mine', 'can only get individual resources of this type'],
  ['get - storage.k8s.io volumeattachments mine', 'yes'],
  ['get - storage.k8s.io volumeattachments other', UNRELATED],
  ['get ns core serviceaccounts mine', 'yes'],
  ['create ns core serviceaccounts/token mine', 'yes'],
  ['create ns core serviceaccounts/token other', UNRELATED],
  ['create ns core serviceaccounts/token', 'can only create tokens for individual service accounts'],
  ['create ns core serviceaccounts mine', 'can only create token subresource of serviceaccount'],
  ['delete ns core serviceaccounts mine', 'can only create tokens for individual service accounts'],
  ['get kube-node-lease coordination.k8s.io leases n', 'yes'],
  ['create kube-node-lease coordination.k8s.io leases', 'yes'],
  ['list kube-node-lease coordination.k8s.io leases', 'can only get, create, update, patch, or delete a node lease'],
  ['get ns coordination.k8s.io leases n', 'can only access leases in the "kube-node-lease" system namespace'],
  [
    'update kube-node-lease coordination.k8s.io leases m',
    'can only access node lease with the same name as the requesting node',
  ],
  ['patch - storage.k8s.io csinodes n', 'yes'],
  ['patch - storage.k8s.io csinodes m', 'can only access CSINode with the same name as the requesting node'],
  ['get - storage.k8s.io csinodes/x n', 'cannot authorize CSINode subresources'],
  ['watch - storage.k8s.io csinodes n', 'can only get, create, update, patch, or delete a CSINode'],
  ['create - resource.k8s.io resourceslices', 'yes'],
  ['delete - resource.k8s.io resourceslices mine', 'yes'],
  ['delete - resource.k8s.io resourceslices other', UNRELATED],
  ['list - resource.k8s.io resourceslices', 'yes', 'spec.nodeName=n'],
  [
    'deletecollection - resource.k8s.io resourceslices',
    'can only list/watch/deletecollection resourceslices with nodeName field selector',
    'spec.nodeName=m',
  ],
  [
    'escalate - resource.k8s.io resourceslices',
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
  ],
  ['get - core nodes n', 'yes'],
  ['get - core nodes m', "node 'n' cannot read 'm', only its own Node object"],
  ['list - core nodes', "node 'n' cannot read all nodes, only its own Node object"],
  ['patch - core nodes m', 'yes'],
  ['update - core nodes/status m', 'yes'],
  ['get - core nodes/status n', ''],
  ['delete - core nodes n', ''],
  ['get - core nodes/proxy n', ''],
  ['get ns core pods p', 'yes'],
  ['get ns core pods q', UNRELATED],
  ['list - core pods', 'yes', 'spec.nodeName=n'],
  ['watch - core pods', 'can only list/watch pods with spec.nodeName field selector', 'spec.nodeName=m'],
  ['watch ns core pods p', 'yes', 'metadata.name=p'],
  ['watch ns core pods q', UNRELATED, 'metadata.name=q'],
  ['create ns core pods', 'yes'],
  ['delete ns core pods q', 'yes'],
  ['update ns core pods p', ''],
  ['patch ns core pods/status q', 'yes'],
  ['create ns core pods/eviction q', 'yes'],
  ['create ns core pods/exec p', ''],
  ['create - certificates.k8s.io certificatesigningrequests', 'yes'],
  ['create - certificates.k8s.io podcertificaterequests', ''],
  ['create ns events.k8s.io events', 'yes'],
  ['list - core services', 'yes'],
  ['delete - core services x', ''],
  ['get /healthz', ''],
])('the decision for %s is "%s"', async (asked, expected, field) => {
  expect(await answer(asked, field)).toBe(expected);
});

test.each<[string, string[], string]>([
  ['system:node:n', ['system:authenticated'], ''],
  ['n', ['system:nodes'], ''],
  ['system:node:', ['system:nodes'], 'unknown node for user "system:node:"'],
])('the user %s with groups %j is not a node', async (name, groups, reason) => {
  expect(await authorize({ name, groups }, asks('list - core services'))).toEqual({ decision: 'noOpinion', reason });
});
