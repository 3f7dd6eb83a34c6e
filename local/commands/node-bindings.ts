import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { NODE_TOKENS } from '#lib/server/authentication/node-bootstrap.ts';
import { SERVING_ROLE } from '#lib/server/authorization/rbac/bootstrap-policy/own-policy.ts';
import { StartFault } from '../start-fault.ts';
import { ensureNetworkRole, NETWORK_ROLE } from './node-network.ts';

const RBAC = 'rbac.authorization.k8s.io';
const BINDINGS = { group: RBAC, version: 'v1', resource: 'clusterrolebindings' };

interface Bound {
  readonly name: string;
  readonly role: string;
  readonly kind: 'Group' | 'User';
  readonly subject: string;
}

const APPROVAL = 'system:certificates.k8s.io:certificatesigningrequests';
const NODES = { kind: 'Group', subject: 'system:nodes' } as const;
const TOKENS = { kind: 'Group', subject: NODE_TOKENS } as const;
const KUBELET_CLIENT = { kind: 'User', subject: 'kube-apiserver-kubelet-client' } as const;

/** Bindings that allow a host to obtain and renew its certificate. They have kubeadm's names. */
const JOINING: readonly Bound[] = [
  { name: 'kubeadm:kubelet-bootstrap', role: 'system:node-bootstrapper', ...TOKENS },
  { name: 'kubeadm:node-autoapprove-bootstrap', role: `${APPROVAL}:nodeclient`, ...TOKENS },
  { name: 'kubeadm:node-autoapprove-certificate-rotation', role: `${APPROVAL}:selfnodeclient`, ...NODES },
];
/** Allows the API server to call kubelets. kubeadm creates this binding too. */
const KUBELET_API: Bound = {
  name: 'kubeadm:apiserver-kubelet-client',
  role: 'system:kubelet-api-admin',
  ...KUBELET_CLIENT,
};
const SERVING: Bound = { name: 'davit:node-autoapprove-serving', role: SERVING_ROLE, ...NODES };

const NETWORK: Bound = { name: NETWORK_ROLE, role: NETWORK_ROLE, ...NODES };

/** Permissions that a host's program needs in addition to its client certificate. */
export interface NeededBindings {
  /** Whether the API server connects to the kubelet's port and presents its certificate. */
  readonly kubelet: boolean;
  /** Whether serving certificates of nodes are approved automatically. */
  readonly serving: boolean;
  /** Whether the agent configures the node's network. */
  readonly network: boolean;
}

/**
 * Ensures that node tokens can obtain client certificates, that nodes can renew theirs, and that the other permissions exist. Returns one
 * line for each binding or role that it created. Throws StartFault if a binding with the name refers to another role.
 */
export async function ensureBindings(client: Client, needed: NeededBindings): Promise<string[]> {
  const { kubelet, serving, network } = needed;
  const made = network ? await ensureNetworkRole(client) : [];
  const kubelets = [...(kubelet ? [KUBELET_API] : []), ...(kubelet && serving ? [SERVING] : [])];
  for (const bound of [...JOINING, ...kubelets, ...(network ? [NETWORK] : [])])
    if (await ensure(client, bound)) made.push(`made the ClusterRoleBinding ${bound.name}`);
  return made;
}

/** Whether a binding had to be created. */
async function ensure(client: Client, { name, role, kind, subject }: Bound): Promise<boolean> {
  const ref = { resource: BINDINGS, namespace: '', name };
  const wanted = { kind, apiGroup: RBAC, name: subject };
  const known = await client.get(ref);
  if (known === undefined) {
    const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: role };
    await client.create(BINDINGS, { metadata: { name }, roleRef, subjects: [wanted] });
    return true;
  }
  const { kind: kindOfRole, name: nameOfRole } = { ...at(known, 'roleRef') };
  if (kindOfRole !== 'ClusterRole' || nameOfRole !== role)
    throw new StartFault(
      `the ClusterRoleBinding ${name} is for another role than ${role}; delete it, and run this again`,
    );
  if (items(known, 'subjects').some((one) => isSame(one, wanted))) return false;
  await client.update(ref, { ...known, subjects: [...items(known, 'subjects'), wanted] });
  return true;
}

const isSame = (one: JsonObject, other: JsonObject): boolean =>
  ['kind', 'apiGroup', 'name'].every((field) => text(one, field) === text(other, field));
