import type { Client } from '#lib/client/client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items, texts } from '#lib/machinery/unstructured.ts';

/** The cluster role that allows nodes to read the objects that their network depends on. */
export const NETWORK_ROLE = 'davit:node-network';

/** A part of the agent's network: its flag, and the resources that the agent watches for it, by API group. */
interface NetworkPart {
  readonly flag: string;
  readonly follows: Readonly<Record<string, readonly string[]>>;
}

const DISCOVERY = 'discovery.k8s.io';
const NETWORKING = 'networking.k8s.io';
/** The flag that lets the agent set up the pod network, and the resources that the agent watches for it. */
const POD_NETWORK: NetworkPart = { flag: '--network-plugin=kubenet', follows: { '': ['nodes'] } };
const PARTS: readonly NetworkPart[] = [
  POD_NETWORK,
  {
    flag: '--proxy-mode=nftables',
    follows: { '': ['services'], [DISCOVERY]: ['endpointslices'], [NETWORKING]: ['servicecidrs'] },
  },
  { flag: '--serve-dns', follows: { '': ['namespaces', 'services'], [DISCOVERY]: ['endpointslices'] } },
  { flag: '--network-policies', follows: { '': ['namespaces', 'pods'], [NETWORKING]: ['networkpolicies'] } },
];

/** The parts of a node's network that the agent sets up. `services` leaves the pod network to another program. */
export type NetworkChoice = 'all' | 'services' | 'none';

/** The agent's flags for these parts of a node's network. */
export const networkFlags = (choice: NetworkChoice): readonly string[] =>
  (choice === 'none' ? [] : PARTS).filter((part) => choice === 'all' || part !== POD_NETWORK).map(({ flag }) => flag);

const ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };
const VERBS = ['get', 'list', 'watch'];

/**
 * Ensures that the role allows nodes to watch the objects that their network depends on. Returns a line if a change was needed. Throws
 * StatusError.
 */
export async function ensureNetworkRole(client: Client): Promise<string[]> {
  const ref = { resource: ROLES, namespace: '', name: NETWORK_ROLE };
  const known = await client.get(ref);
  if (known === undefined) {
    await client.create(ROLES, { metadata: { name: NETWORK_ROLE }, rules: wantedRules() });
    return [`made the ClusterRole ${NETWORK_ROLE}`];
  }
  const missing = wantedRules().filter((rule) => !items(known, 'rules').some((one) => allows(one, rule)));
  if (missing.length === 0) return [];
  await client.update(ref, { ...known, rules: [...items(known, 'rules'), ...missing] });
  return [`gave the ClusterRole ${NETWORK_ROLE} what it lacked`];
}

/** One rule per API group. */
function wantedRules(): JsonObject[] {
  const groups = [...new Set(PARTS.flatMap(({ follows }) => Object.keys(follows)))];
  return groups.map((group) => {
    const resources = new Set(PARTS.flatMap(({ follows }) => follows[group] ?? []));
    return { apiGroups: [group], resources: [...resources].toSorted(), verbs: VERBS };
  });
}

const allows = (one: JsonObject, wanted: JsonObject): boolean =>
  ['apiGroups', 'resources', 'verbs'].every((field) => {
    const given = texts(one, field);
    return texts(wanted, field).every((each) => given.includes(each));
  });
